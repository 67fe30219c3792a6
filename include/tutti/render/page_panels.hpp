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
  const row = Math.max(1.2, Math.min(9, 150 / data.size));
  const pad = Math.min(9, wide / 6);
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
    const size = Math.min(9, span / words.length / 0.56);
    if (size >= 5) phase.append(svg('text', { class: 'quiet', x: first * wide + span / 2, y: top - 9, 'font-size': size, 'text-anchor': 'middle' }, words));
    map.append(phase);
  }
  data.rounds.forEach((_, i) => {
    const paths = { fold: '', copy: '' };
    for (const m of movements(i))
      if (!m.local) paths[m.folds ? 'fold' : 'copy'] += `M${(i * wide + pad).toFixed(1)} ${(top + (m.from + 0.5) * row + 3).toFixed(1)}L${((i + 1) * wide - pad).toFixed(1)} ${(top + (m.to + 0.5) * row + 3).toFixed(1)}`;
    for (const [kind, d] of Object.entries(paths)) if (d !== '') map.append(svg('path', { class: kind, d }));
    if (wide >= 16)
      map.append(svg('text', { class: 'quiet', x: (i + 0.5) * wide, y: top + row * data.size + 14, 'font-size': 9, 'text-anchor': 'middle' }, String(i)));
  });
  map.style.maxWidth = `${Math.max(wide * rounds, 300) * 1.2}px`;
  figure.append(map);
  return (round) => columns.forEach((c, i) => c.classList.toggle('now', i === round));
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
  if (chosen.message !== undefined) {
    const m = movement(round, chosen.message);
    const facts = [`carries ${m.cargo}`];
    if (m.blocks > 0) facts.push(`${m.blocks} of ${data.blocks} blocks`);
    if (m.folds && !data.barrier) facts.push(`folded as the ${m.left ? 'left' : 'right'} operand`);
    if (m.sent !== m.round) facts.push(`sent in round ${m.sent}`);
    detail.replaceChildren(html('h2', {}, `Message of round ${round}`), html('p', {}, facts.join('; ')),
      html('p', {}, link(`rank ${m.from}`, () => choose({ rank: m.from })), ' → ', link(`rank ${m.to}`, () => choose({ rank: m.to }))));
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

/** The fat-tree once; returns what shows the loads of a round. */
function draw_network(figure) {
  const tree = data.tree;
  const drawing = svg('svg', { viewBox: `0 0 ${tree.width} ${tree.height}`, role: 'img', 'aria-label': tree.name + ' with the loads of its links' });
  const links = tree.links.map(([x1, y1, x2, y2]) => svg('line', { class: 'link', x1, y1, x2, y2, 'stroke-linecap': 'round' }));
  const lines = svg('g');
  const nodes = [];
  drawing.append(lines);
  for (const [x, y, width, height, label, upright, font] of tree.switches) {
    const words = svg('text', { x, y: y + 0.36 * font, 'font-size': font, 'text-anchor': 'middle' }, label);
    if (upright) words.setAttribute('transform', `rotate(-90 ${x} ${y})`);
    drawing.append(svg('rect', { class: 'switch', x: x - width / 2, y: y - height / 2, width, height, rx: 3 }), words);
  }
  for (const [x, y, radius, rank] of tree.nodes) {
    const node = svg('circle', { class: rank < 0 ? 'node hole' : 'node', cx: x, cy: y, r: radius }, title(rank < 0 ? 'no rank' : `rank ${rank}`));
    if (rank >= 0) nodes[rank] = node;
    drawing.append(node);
    if (rank >= 0 && tree.every > 0 && rank % tree.every === 0)
      drawing.append(svg('text', { x, y: y + radius + 13, 'font-size': 11, 'text-anchor': 'middle' }, String(rank)));
  }
  drawing.style.maxWidth = `${tree.width}px`;
  const caption = html('figcaption', { 'aria-live': 'polite' });
  figure.append(drawing, caption);
  return (round, chosen) => {
    const loads = new Array(links.length).fill(0);
    const busy = round < data.rounds.length ? data.loads[round] : [];
    for (let k = 0; k < busy.length; k += 2) loads[busy[k]] = busy[k + 1];
    const counts = new Map();
    const order = loads.map((_, l) => l).sort((a, b) => loads[a] - loads[b] || a - b); // the busy ones on top
    for (const l of order) {
      const load = loads[l];
      const kind = load <= 4 ? load : Math.min(7, 34 - Math.clz32(load - 1));
      links[l].style.stroke = `var(--load${kind})`;
      links[l].style.strokeWidth = tree.widths[kind];
      links[l].replaceChildren(title(`${tree.names[l]}: load ${load}`));
      counts.set(load, (counts.get(load) || 0) + 1);
    }
    lines.replaceChildren(...order.map((l) => links[l]));
    nodes.forEach((node, rank) => node.classList.toggle('chosen', rank === chosen.rank));
    const listed = [...counts].filter(([load]) => load > 0).map(([load, n]) => `${n} with load ${load}`);
    caption.textContent = `${tree.name}, ${tree.routing}; links in round ${round}: ` + (listed.length ? listed.join(', ') : 'none carries anything') + '.';
  };
}

const element = (name) => document.getElementById(name + part);
const stage = element('stage');
const mark_overview = draw_overview(element('overview'), go);
const show_loads = data.tree ? draw_network(element('network')) : () => {};
const bars = element('timeline') ? [...element('timeline').querySelectorAll('.activity')] : [];
return {
  data, stage, block_name, part,
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
  animate: (round) => animate(stage, round),
};
}
)js";

} // namespace tutti::detail
