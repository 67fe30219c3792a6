// SPDX-License-Identifier: BSL-1.0
#pragma once

namespace tutti::detail {

/// What stands round the stage: all rounds at a glance, the words about what was clicked, the network with
/// its loads, the simulation. Third part of the page's script, at the end of which is all that one schedule
/// shows.
inline constexpr const char* page_panels = R"js(
/** All rounds side by side, one line per message, under the brackets of their phases; returns what marks a round. */
function draw_overview(figure, go) {
  const rounds = data.rounds.length;
  if (rounds < 2) { figure.hidden = true; return () => {}; }
  const wide = Math.max(8, Math.min(90, 1100 / rounds));
  const row = Math.min(9, (data.network ? 46 : 130) / data.size);
  const pad = Math.min(9, wide / 6);
  const layers = Math.ceil(2 / row); // neighbours that overlap lie in different ones: lines of one path do not add up
  const top = 20; // of the strip; above it the phases
  const high = row * data.size + 16;
  const map = svg('svg', { viewBox: `0 0 ${wide * rounds} ${top + high}`, preserveAspectRatio: 'xMinYMin', role: 'img', 'aria-label': 'all rounds at a glance; click one to see it' });
  const columns = data.rounds.map((_, i) => {
    const column = svg('rect', { class: 'column', x: i * wide, width: wide, y: top, height: high }, title(`round ${i}: ${data.words[i]}`));
    column.addEventListener('click', () => go(i));
    map.append(column);
    return column;
  });
  for (const [first, last, words] of data.phases) {
    const span = (last - first + 1) * wide;
    const phase = svg('g', { class: 'phase' }, title(words),
      svg('path', { d: `M${first * wide + 2} ${top - 1}V${top - 6}H${(last + 1) * wide - 2}V${top - 1}` }));
    const letters = Math.floor(span / 5.8); // that have room
    if (letters > 3) phase.append(svg('text', { class: 'quiet', x: first * wide + span / 2, y: top - 9, 'font-size': 10, 'text-anchor': 'middle' },
                                      words.length > letters ? words.slice(0, letters - 1) + '…' : words));
    map.append(phase);
  }
  data.rounds.forEach((_, i) => {
    const lines = { fold: new Array(layers).fill(''), copy: new Array(layers).fill('') };
    let ink = 0;
    for (const m of movements(i)) {
      if (m.local) continue;
      lines[m.folds ? 'fold' : 'copy'][m.from % layers] += `M${(i * wide + pad).toFixed(1)} ${(top + (m.from + 0.5) * row + 3).toFixed(1)}L${((i + 1) * wide - pad).toFixed(1)} ${(top + (m.to + 0.5) * row + 3).toFixed(1)}`;
      ink += (m.folds ? 1.3 : 1) * Math.hypot(wide - 2 * pad, (m.to - m.from) * row);
    }
    const drawn = Object.entries(lines).flatMap(([kind, paths]) => paths.filter((d) => d !== '').map((d) => svg('path', { class: kind, d })));
    const messages = svg('g', { class: 'messages' }, ...drawn);
    messages.style.setProperty('--shade', shade_of(ink, (wide - 2 * pad) * row * data.size));
    map.append(messages);
    if (wide >= 16)
      map.append(svg('text', { class: 'quiet', x: (i + 0.5) * wide, y: top + row * data.size + 14, 'font-size': 10, 'text-anchor': 'middle' }, String(i)));
  });
  map.style.maxWidth = `${Math.max(wide * rounds, 300) * 1.2}px`;
  map.style.setProperty('--least', `${wide * rounds}px`);
  figure.append(map);
  return (round) => {
    columns.forEach((c, i) => c.classList.toggle('now', i === round));
    figure.scrollLeft = (round + 0.5) / rounds * map.getBoundingClientRect().width - figure.clientWidth / 2; // where it is too broad
  };
}

/** What a round does: its phase, and its sentence. */
function words_of(round) {
  const rounds = data.rounds.length;
  if (rounds === 0) return '';
  if (round >= rounds) return `done after ${rounds} round${rounds === 1 ? '' : 's'}`;
  return data.phases.find(([first, last]) => first <= round && round <= last)[2] + ': ' + data.words[round];
}

/** Everything that a rank does, round by round. */
function steps_of(rank) {
  const steps = [];
  data.rounds.forEach((_, i) => {
    const moves = movements(i); // sends read what was there before the round
    for (const m of moves) if (!m.local && m.from === rank) steps.push([i, `→ ${m.to}: ${m.cargo}`]);
    for (const m of moves)
      if (m.to === rank) steps.push([i, m.local ? in_words(m) : `← ${m.from}: ${m.cargo}` + (m.folds ? ', folded' : '')]);
  });
  return steps;
}

function draw_detail(detail, round, chosen, go, choose) {
  const link = (words, action) => {
    const button = html('button', { type: 'button' }, words);
    button.addEventListener('click', action);
    return button;
  };
  const listed = (messages) => html('ul', {}, ...messages.map((m) =>
    html('li', {}, link(`rank ${m.from} → rank ${m.to}`, () => choose({ message: m.number, part }, m.round)), `: ${m.cargo}`)));
  if (chosen.link !== undefined) {
    const over = messages_over(chosen.link, round);
    detail.replaceChildren(html('h2', {}, `Link in round ${round}`), html('p', {}, data.network.names[chosen.link]),
      html('p', {}, over.length === 0 ? 'carries nothing' : over.length === 1 ? 'carries one message:' : `is shared by ${over.length} messages:`), listed(over));
    return;
  }
  if (chosen.message !== undefined) {
    const m = movement(round, chosen.message);
    const facts = [`carries ${m.cargo}`];
    if (m.blocks > 0) facts.push(`${m.blocks}/${data.blocks} blocks`);
    if (m.folds && !data.barrier) facts.push(`folded as the ${m.left ? 'left' : 'right'} operand`);
    if (m.sent !== m.round) facts.push(`sent in round ${m.sent}`);
    detail.replaceChildren(html('h2', {}, `Message of round ${round}`), html('p', {}, facts.join('; ')),
      html('p', {}, link(`rank ${m.from}`, () => choose({ rank: m.from })), ' → ', link(`rank ${m.to}`, () => choose({ rank: m.to }))));
    if (way_of(m).length === 0) return;
    const loads = loads_in(m.sent);
    const worst = worst_of(loads, way_of(m));
    const others = messages_over(worst, m.sent).filter((o) => o.number !== m.number || o.round !== m.round);
    detail.append(html('p', {}, `its way: ${way_of(m).length} links, `, others.length === 0 ? 'on which it meets no other message' : 'on which it meets most others at '),
      ...others.length === 0 ? [] : [link(`${data.network.names[worst]}, load ${loads[worst]}`, () => choose({ link: worst, part })), listed(others)]);
    return;
  }
  if (chosen.rank === undefined) {
    const moves = movements(round).filter((m) => !m.local);
    const folds = moves.filter((m) => m.folds).length;
    detail.replaceChildren(html('h2', {}, data.rounds.length ? `Round ${round}` : 'One rank'),
      html('p', {}, `${moves.length} message${moves.length === 1 ? '' : 's'}` + (folds ? `, ${folds === moves.length ? 'all' : folds} folded on arrival` : '')),
      html('p', { class: 'hint' }, 'Click a rank or a message, or move to it with the tab key and press enter.'));
    return;
  }
  const table = html('table');
  for (const [i, words] of steps_of(chosen.rank)) {
    const line = html('tr', i === round ? { class: 'now' } : {}, html('td', {}, link(String(i), () => go(i))), html('td', {}, words));
    table.append(line);
  }
  detail.replaceChildren(html('h2', {}, `Rank ${chosen.rank}`),
    html('p', {}, holdings_before(round + 1).label(chosen.rank) || 'holds nothing that is needed'),
    html('p', { class: 'hint' }, 'Its steps by round; escape leaves it.'), table);
}

/** The links that a movement takes. */
function way_of(m) { return data.network ? data.ways[m.round][m.number] : []; }

/** The messages that are sent in a round and take a link; all of them without a link. */
function messages_over(link, round) {
  return data.rounds.flatMap((_, i) => movements(i)).filter((m) => m.sent === round && !m.local
    && (link === undefined || way_of(m).includes(link)));
}
/** How many messages of a round each link carries. */
function loads_in(round) {
  const loads = new Array(data.network.links.length).fill(0);
  for (const m of messages_over(undefined, round)) for (const l of way_of(m)) ++loads[l];
  return loads;
}
function worst_of(loads, links = loads.map((_, l) => l)) {
  return links.reduce((worst, l) => (loads[l] > loads[worst] ? l : worst), links[0]);
}

/** The network once; returns what shows the loads of a round, and the ways of what is chosen. */
function draw_network(figure) {
  const network = data.network;
  const drawing = svg('svg', { viewBox: `0 0 ${network.width} ${network.height}`, role: 'group', 'aria-label': network.name + ' with the loads of its links' });
  const links = network.links.map((d, l) => svg('g', { 'data-link': l }, svg('path', { class: 'hit', d }), svg('path', { class: 'link', d, 'stroke-linecap': 'round' }), title('')));
  const lines = svg('g');
  const ways = svg('g', { class: 'ways' });
  const nodes = [];
  drawing.append(lines, ways);
  for (const [x, y, width, height, label, upright, font] of network.switches) {
    const words = svg('text', { x, y: y + 0.36 * font, 'font-size': font, 'text-anchor': 'middle' }, label);
    if (upright) words.setAttribute('transform', `rotate(-90 ${x} ${y})`);
    drawing.append(svg('rect', { class: 'switch', x: x - width / 2, y: y - height / 2, width, height, rx: 3 }), words);
  }
  network.nodes.forEach(([x, y, radius, rank, label_x, label_y], n) => {
    const node = svg('circle', { class: rank < 0 ? 'node hole' : 'node', cx: x, cy: y, r: radius }, title(rank < 0 ? 'no rank' : `rank ${rank}`));
    if (rank >= 0) {
      nodes[rank] = node;
      node.dataset.rank = rank;
    }
    drawing.append(node);
    if (rank >= 0 && n % network.every === 0)
      drawing.append(svg('text', { x: label_x, y: label_y, 'font-size': 11, 'text-anchor': 'middle' }, String(rank)));
  });
  drawing.style.maxWidth = `${1.6 * network.width}px`;
  drawing.style.setProperty('--least', `${network.width}px`);
  const caption = html('figcaption', { 'aria-live': 'polite' });
  figure.append(drawing, caption);
  figure.addEventListener('click', (event) => { if (!choose_at(event.target)) choose({}); });
  return (round, chosen) => {
    const loads = loads_in(round);
    const order = loads.map((_, l) => l).sort((a, b) => loads[a] - loads[b] || a - b); // the busy ones on top
    for (const l of order) {
      const load = loads[l];
      const kind = load <= 4 ? load : Math.min(7, 34 - Math.clz32(load - 1));
      const [, line, words] = links[l].children;
      line.style.stroke = `var(--load${kind})`;
      line.style.strokeWidth = network.widths[kind];
      line.style.strokeDasharray = network.dashes[kind];
      words.textContent = `${network.names[l]}: load ${load}`;
    }
    lines.replaceChildren(...order.map((l) => links[l]));
    const shown = chosen_messages(round, chosen);
    ways.replaceChildren(...shown.map((m, k) => {
      const aside = Math.min(2.4, 9 / shown.length) * (k - (shown.length - 1) / 2);
      return svg('path', { class: 'way', d: way_of(m).map((l) => network.links[l]).join(' '), transform: `translate(${aside} ${aside})`, 'data-way': m.number });
    }));
    const ends = new Set(chosen.rank === undefined ? shown.flatMap((m) => [m.from, m.to]) : [chosen.rank]);
    nodes.forEach((node, rank) => node.classList.toggle('chosen', ends.has(rank)));
    links.forEach((link, l) => link.classList.toggle('chosen', l === chosen.link));
    const counts = new Map();
    for (const l of order) if (loads[l] > 0) counts.set(loads[l], (counts.get(loads[l]) || 0) + 1);
    const listed = [...counts].map(([load, n]) => `${n} with load ${load}`);
    caption.replaceChildren(`${network.name}, ${network.routing}; links in round ${round}: ` + (listed.length ? listed.join(', ') : 'none carries anything') + '. ');
    const worst = worst_of(loads);
    if (loads[worst] > 1) {
      const who = html('button', { type: 'button', 'data-link': worst }, `who shares the worst one`);
      caption.append(who);
    }
  };
}

/** Whose ways the network shows: of what is chosen, in this round. */
function chosen_messages(round, chosen) {
  if (chosen.message !== undefined) return [movement(round, chosen.message)];
  if (chosen.link !== undefined) return messages_over(chosen.link, round);
  if (chosen.rank !== undefined) return messages_over(undefined, round).filter((m) => m.from === chosen.rank || m.to === chosen.rank);
  return [];
}

/** A click on anything of a message in the time line, or the arrows there, tell when it was sent, under way and taken. */
function tell_messages(timeline, told) {
  const parts = [...timeline.querySelectorAll('[data-message]')];
  const number_of = (p) => Number(p.dataset.message);
  const last = Math.max(...parts.map(number_of));
  let chosen = -1;
  const choose_parts = (own) => {
    for (const p of parts) p.classList.toggle('picked', own.includes(p));
    const words = own.map((p) => p.querySelector('title').textContent);
    told.replaceChildren(...words.map((line) => html('li', {}, line)));
  };
  const choose_message = (number) => {
    chosen = number;
    choose_parts(parts.filter((p) => number >= 0 && number_of(p) === number));
  };
  timeline.addEventListener('click', (event) => {
    const at = event.target.closest('[data-message]');
    choose_message(at ? number_of(at) : -1);
    if (at && chosen < 0) choose_parts([at]); // of no message
  });
  timeline.addEventListener('keydown', (event) => {
    const next = { ArrowRight: chosen + 1, ArrowLeft: chosen - 1, Escape: -1 }[event.key];
    if (next === undefined) return;
    choose_message(Math.min(Math.max(next, -1), last));
    event.preventDefault();
    event.stopPropagation(); // or they step through the rounds
  });
}

/** All rounds, one below the other, for paper. */
function draw_every_round(host) {
  host.replaceChildren(...data.rounds.map((_, i) => {
    const picture = svg('svg', { role: 'group', 'aria-label': `round ${i}` });
    draw_stage(picture, i, {});
    picture.style.maxHeight = data.size <= 32 ? '40vh' : '85vh';
    const section = html('section', { class: 'one-round' }, html('h2', {}, `Round ${i}`), html('p', {}, words_of(i)), html('figure', {}, picture));
    if (data.network) {
      show_loads(i, {});
      const copy = element('network').cloneNode(true);
      copy.removeAttribute('id');
      section.append(copy);
    }
    return section;
  }));
}

const element = (name) => document.getElementById(name + part);
const stage = element('stage');
const mark_overview = draw_overview(element('overview'), go);
const show_loads = data.network ? draw_network(element('network')) : () => {};
const timeline = element('timeline');
const bars = timeline ? [...timeline.querySelectorAll('.activity')] : [];
if (timeline) tell_messages(timeline, element('of-message'));
return {
  data, stage, block_name, part, network: element('network'), loads_in, messages_over, way_of,
  width: size_of.width,
  show: (round, chosen, width) => {
    stage_width = width;
    draw_stage(stage, round, chosen);
    draw_detail(element('detail'), round, chosen, go, choose);
    mark_overview(round);
    element('words').textContent = words_of(round);
    show_loads(round, chosen);
    for (const bar of bars) bar.classList.toggle('now', bar.dataset.round === String(round));
  },
  lay_out: () => draw_every_round(element('every-round')),
  clear: () => element('every-round').replaceChildren(),
  animate: (round) => animate(stage, round),
};
}
)js";

} // namespace tutti::detail
