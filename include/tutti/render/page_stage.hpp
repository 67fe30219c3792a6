// SPDX-License-Identifier: BSL-1.0
#pragma once

namespace tutti::detail {

/// Draws one round: what every rank holds before it, its messages, what every rank holds after it. Second
/// part of the page's script.
inline constexpr const char* page_stage = R"js(
function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}
function html(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}
function title(words) { return svg('title', {}, words); }

/** Where there is little room for the stage, words beside the vectors are left to the mouse. */
const narrow = document.getElementById('stage' + part).parentElement.clientWidth < 1000;

/** Sizes of the stage, from those of the schedule. */
const size_of = (() => {
  const buffers = data.buffers.length;
  const high = Math.max(9, Math.min(30, (narrow && data.network ? 380 : 620) / data.size / buffers - 8)); // of one vector
  const row = high * buffers + 3 * (buffers - 1) + (high > 14 ? 12 : 5);
  const block = Math.max(0.9, Math.min(28, (narrow ? 112 : 232) / data.blocks));
  const wide = Math.max(40, block * data.blocks);
  const label = narrow ? 30 : 132, gap = narrow ? Math.min(380, Math.max(150, 100 + 2 * data.size)) : Math.min(380, 250 + 3 * data.size);
  const left = 44 + label, right = left + wide + gap;
  return { high, row, wide, block: wide / data.blocks, gap, left, right, top: 40,
           width: right + wide + label + 8, height: 40 + row * data.size + 6 };
})();
let stage_width = size_of.width; // of all schedules of the page, so that ranks are as high in all of them
const middle_of = (rank) => size_of.top + size_of.row * (rank + 0.5);
const words_fit = size_of.row >= 16 && !narrow;

/** The colours of many ranks side by side, where a side has its vectors: blocks that lie in order are one piece. */
const in_order = data.personal && data.size > 32 ? data.size : -1;
if (in_order >= 0)
  document.querySelector('.defs').append(...['before', 'after'].map((side) => {
    const x = side === 'before' ? size_of.left : size_of.right;
    return svg('linearGradient', { id: `ranks-${side}${part}`, gradientUnits: 'userSpaceOnUse', x1: x, x2: x + size_of.wide },
      ...data.colours.map((colour, r) => svg('stop', { offset: (r + 0.5) / data.size, 'stop-color': colour })));
  }));

/** A vector as a map: blocks from left to right, from top to bottom the ranks that may contribute; personal blocks in
    the colours of their ranks. */
function draw_vector(group, held, buffer, rank, x, y) {
  const painted = (cell, b) => { // whose colour
    const whose = held.whose(cell);
    const own = buffer === 1; // an input has one colour, and so is one piece
    return in_order >= 0 && !own && whose === owner(b) ? in_order : whose;
  };
  const number = (b) => { // what is drawn alike has the same one
    const cell = held.at(buffer, rank, b);
    if (held.from[cell] === 0) return 0;
    return 2 * (data.by_rank ? held.from[cell] : 1 + (data.personal ? painted(cell, b) : 0)) + held.needed[cell];
  };
  const paint_of = (kind) => {
    if (!data.personal) return {};
    const whose = (kind >> 1) - 1;
    const side = x === size_of.left ? 'before' : 'after';
    return { 'data-whose': whose, style: `fill: ${whose === in_order ? `url(#ranks-${side}${part})` : data.colours[whose]}` };
  };
  for (let b = 0; b < data.blocks;) {
    const kind = number(b);
    let end = b + 1;
    while (end < data.blocks && number(end) === kind) ++end;
    if (kind !== 0) {
      const look = { class: (data.personal ? 'own ' : '') + (kind % 2 ? 'held' : 'stale'), ...paint_of(kind), x: x + b * size_of.block, width: (end - b) * size_of.block };
      const set = data.by_rank ? data.sets[kind >> 1] : [0, data.size - 1];
      if (data.personal && kind % 2 === 0) // a thin bar at the bottom
        group.append(svg('rect', { ...look, y: y + 0.7 * size_of.high, height: 0.3 * size_of.high }));
      else for (let k = 0; k < set.length; k += 2) {
        const height = Math.max(1.5, (set[k + 1] - set[k] + 1) * size_of.high / data.size);
        const top = Math.min(set[k] * size_of.high / data.size, size_of.high - height);
        group.append(svg('rect', { ...look, y: y + top, height }));
      }
    }
    b = end;
  }
  if (size_of.block < 7) return;
  for (let b = 1; b < data.blocks; ++b)
    group.append(svg('line', { class: 'grid', x1: x + b * size_of.block, x2: x + b * size_of.block, y1: y, y2: y + size_of.high }));
  if (data.kind !== 'alltoall' || size_of.block < 20 || size_of.high < 12) return;
  for (let b = 0; b < data.blocks; ++b) { // whose block it is matters
    const cell = held.at(buffer, rank, b);
    if (held.from[cell] === 0) continue;
    group.append(svg('text', { x: x + (b + 0.5) * size_of.block, y: y + size_of.high / 2 + 3.5, 'font-size': 10,
                               'text-anchor': 'middle', class: 'on-held',
                               style: `fill: ${!held.needed[cell] ? 'var(--ink)' : 2 * held.whose(cell) < data.size ? '#ffffff' : '#1f2933'}` },
                     block_name(held.origin[cell]) + data.sets[held.from[cell]][0]));
  }
}

/** One rank on one side of the stage. */
function draw_rank(held, rank, side, changed, chosen, font) {
  const words = held.label(rank);
  const before = side === 'before';
  const group = svg('g', { class: 'rank' + (chosen ? ' chosen' : ''), tabindex: -1, role: 'button',
                           'aria-label': `rank ${rank}, ${side}: ${words || 'nothing that is needed'}`,
                           'data-rank': rank, 'data-key': `${side} ${rank}`, 'data-words': words });
  const x = before ? size_of.left : size_of.right;
  const y = middle_of(rank);
  group.append(svg('rect', { class: 'ground', x: before ? 0 : x - 4, width: before ? x + size_of.wide + 4 : size_of.width - x,
                             y: y - size_of.row / 2, height: size_of.row, rx: 3 }));
  data.buffers.forEach((buffer, k) => {
    const top = y - (size_of.high * data.buffers.length + 3 * (data.buffers.length - 1)) / 2 + k * (size_of.high + 3);
    group.append(svg('rect', { class: 'vector' + (changed && size_of.high >= 12 ? ' changed' : ''), x, y: top, width: size_of.wide, height: size_of.high }));
    const content = svg('g', changed && !before ? { class: 'new' } : {});
    draw_vector(content, held, buffer, rank, x, top);
    group.append(content);
  });
  const size = Math.min(13, size_of.row - 1);
  if (before) group.append(svg('text', { x: 30, y: y + 0.36 * size, 'font-size': size, 'text-anchor': 'end', 'font-weight': 600 }, String(rank)));
  if (words_fit)
    group.append(svg('text', { x: before ? x - 8 : x + size_of.wide + 8, y: y + 4, 'font-size': font,
                               'text-anchor': before ? 'end' : 'start', class: 'label' }, fitting(words, font)));
  group.append(title(`rank ${rank}, ${side}: ${words || 'nothing that is needed'}`));
  return group;
}

/** As large as the longest words of a side have room, but no smaller than people can read: longer ones are cut. */
function font_of(held) {
  return Math.max(10, Math.min(12, ...Array.from({ length: data.size }, (_, r) => 210 / Math.max(held.label(r).length, 1))));
}
function fitting(words, font) {
  const room = Math.floor(210 / font);
  return words.length > room ? words.slice(0, room - 1) + '…' : words;
}

/** Where a message begins and ends on the stage. */
function ends_of(m) {
  const apart = Math.min(6, size_of.row / 5) * (m.to > m.from ? 1 : -1);
  return { x1: size_of.left + size_of.wide + 5, y1: middle_of(m.from) + apart,
           x2: size_of.right - 5, y2: middle_of(m.to) - apart };
}
function draw_message(m, chosen, aside, with_words) {
  const words = in_words(m);
  const e = ends_of(m);
  const kind = m.blocks === 0 ? ' sign' : m.folds ? ' fold' : '';
  const group = svg('g', { class: 'message' + kind + (chosen ? ' chosen' : '') + (aside ? ' aside' : ''), tabindex: -1, role: 'button',
                           'aria-label': words, 'data-message': m.number, 'data-key': `message ${m.number}` });
  group.append(svg('line', { class: 'hit', ...e }),
               svg('line', { class: 'way', ...e, 'marker-end': `url(#head-${m.folds ? 'fold' : 'copy'})` }));
  if (with_words) group.append(svg('text', { class: 'cargo', x: e.x1 + 5, y: e.y1 + (m.to > m.from ? -4 : 11) }, m.cargo));
  group.append(title(words));
  return group;
}

/** Names of the blocks above the vectors, and what the two sides are. */
function draw_headings(round) {
  const group = svg('g', { class: 'quiet' });
  const last = data.rounds.length - 1;
  const words = round === 0 ? ['at first'] : [round <= last ? `before round ${round}` : `after round ${last}`];
  words.push(round < last ? `after round ${round}` : 'in the end');
  [size_of.left, size_of.right].forEach((x, k) => {
    group.append(svg('text', { class: 'quiet', x: x + size_of.wide / 2, y: 14, 'font-size': 12, 'text-anchor': 'middle' }, words[k]));
    if (size_of.block >= 9 && data.blocks > 1)
      for (let b = 0; b < data.blocks; ++b)
        group.append(svg('text', { class: 'quiet', x: x + (b + 0.5) * size_of.block, y: 32, 'font-size': 11, 'text-anchor': 'middle' }, block_name(b)));
  });
  group.append(svg('text', { class: 'quiet', x: 30, y: 32, 'font-size': 11, 'text-anchor': 'end' }, 'rank'));
  return group;
}

/** How opaque lines are that would cover the ground between two sides, both as areas, so that where they lie thick is seen. */
function shade_of(ink, ground) { return Math.min(1, Math.max(0.05, 0.3 * ground / (ink + 1))); }

/** The whole stage. `chosen` is what the user looks at: {rank} or {message}, or nothing. */
function draw_stage(stage, round, chosen) {
  const side = (held, name, receivers) => {
    const font = font_of(held);
    return Array.from({ length: data.size }, (_, r) => draw_rank(held, r, name, receivers.has(r), chosen.rank === r, font));
  };
  const before = side(holdings_before(round), 'before', new Set());
  const moves = movements(round);
  const receivers = new Set(moves.map((m) => m.to));
  const after = side(holdings_before(round + 1), 'after', receivers);
  const messages = moves.filter((m) => !m.local);
  const sent = new Array(data.size).fill(0); // words beside an arrow only where they cannot cover others
  for (const m of messages) ++sent[m.from];
  const any = chosen.message !== undefined || chosen.rank !== undefined || chosen.link !== undefined;
  const lines = messages.map((m) => {
    const mine = chosen.message === m.number || chosen.rank === m.from || chosen.rank === m.to
      || (chosen.link !== undefined && way_of(m).includes(chosen.link));
    return draw_message(m, chosen.message === m.number, any && !mine, words_fit && sent[m.from] === 1 && data.blocks > 1);
  });
  // Where arrows would cover the ground between the sides, they are paler; not beside what is chosen.
  const ink = messages.map(ends_of).reduce((sum, e) => sum + 2 * Math.hypot(e.x2 - e.x1, e.y2 - e.y1), 0);
  stage.style.setProperty('--shade', any ? 1 : shade_of(ink, size_of.gap * size_of.row * data.size));
  const axes = svg('g');
  for (let r = 0; r < data.size; ++r)
    axes.append(svg('line', { class: 'axis', x1: size_of.left + size_of.wide, x2: size_of.right, y1: middle_of(r), y2: middle_of(r) }));
  stage.style.maxWidth = `${1.25 * stage_width}px`;
  stage.style.setProperty('--least', `${stage_width}px`); // letters have 10 pixels then
  stage.setAttribute('viewBox', `0 0 ${stage_width} ${size_of.height}`);
  stage.replaceChildren(draw_headings(round), ...before, ...after, axes, ...lines);
  stage.prepend(title('what ranks hold before and after the round, and its messages'));
}

/** Blocks on their way, where motion is welcome; what they change appears when they have come. */
function animate(stage, round) {
  const moves = movements(round).filter((m) => !m.local && m.blocks > 0);
  if (moves.length > 400 || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  for (const content of stage.querySelectorAll('.new'))
    content.animate([{ opacity: 0 }, { opacity: 0, offset: 0.6 }, { opacity: 1 }], { duration: 750 });
  for (const m of moves) {
    const e = ends_of(m);
    const wide = Math.max(6, Math.min(size_of.wide, size_of.block * m.blocks) / 2);
    const parcel = svg('rect', { class: 'parcel' + (m.folds ? ' fold' : ''), x: -wide / 2, y: -4, width: wide, height: 8, rx: 2 });
    stage.append(parcel);
    parcel.animate([{ transform: `translate(${e.x1}px, ${e.y1}px)` }, { transform: `translate(${e.x2}px, ${e.y2}px)` }],
                   { duration: 550, easing: 'ease-in-out', fill: 'forwards' });
    setTimeout(() => parcel.remove(), 560);
  }
}
)js";

} // namespace tutti::detail
