// SPDX-License-Identifier: BSL-1.0
#include <string_view>

#include <tutti/render/page_head.hpp>
#include <tutti/render/svg.hpp>

#include "chart.hpp"
#include "chart_parts.hpp"

namespace program {

namespace {

constexpr std::string_view style = R"css(
:root { color-scheme: light dark; }
body { margin: 0 auto; max-width: 90rem; padding: 1.2rem 1.5rem 3rem; background: var(--sheet); color: var(--ink);
  font: 1rem/1.45 system-ui, "DejaVu Sans", Verdana, Helvetica, Arial, sans-serif; }
h1 { font-size: 1.5rem; margin: 0 0 .6rem; line-height: 1.2; }
figure { margin: 0 0 2rem; display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; align-items: start; }
@media (max-width: 700px) { body { padding: .8rem .5rem 2rem; } }
.picture { flex: 1 1 34rem; min-width: 0; overflow-x: auto; }
.picture > svg { width: 100%; height: auto; display: block; }
figure:focus-visible { outline: 3px solid var(--focus); outline-offset: 4px; }
figcaption { flex: 0 1 22rem; min-height: 3rem; font-variant-numeric: tabular-nums; }
.of-map figcaption { flex-basis: 100%; }
.hint { color: var(--quiet); font-size: .9rem; margin: 0; }
table { border-collapse: collapse; font-size: .92rem; width: 100%; }
caption { text-align: left; font-weight: 600; padding-bottom: .2rem; }
td { border-top: 1px solid var(--line); padding: .05rem .8rem .05rem 0; text-align: right; white-space: nowrap; }
td:first-child { text-align: left; white-space: normal; }
tr:hover td { background: color-mix(in srgb, var(--line) 40%, transparent); }
.place { stroke: var(--quiet); fill: none; pointer-events: none; }
rect.place { stroke: var(--ink); stroke-width: 2.5; }
.line.marked polyline { stroke-width: 4; }
)css";

/// All that is said stands in the picture already: where, whose and what in words.
constexpr std::string_view script = R"js(
'use strict';
const svg = (name, attributes) => {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
};
const html = (name, ...children) => {
  const element = document.createElement(name);
  element.append(...children);
  return element;
};
const number = (element, attribute) => Number(element.getAttribute(attribute));
const each_once = (list) => [...new Set(list)].sort((a, b) => a - b);
const microseconds = (words) => parseFloat(words) * ({ ms: 1e3, s: 1e6 }[words.split(' ')[1]] || 1);

/** Of a line: its name, and by place the words "LENGTH: VALUE" of each point. */
function line_of(group) {
  const name = group.querySelector('title').textContent;
  const points = [...group.querySelectorAll('circle')].map((circle) => {
    const words = circle.querySelector('title').textContent.slice(name.length + 2);
    const cut = words.lastIndexOf(': ');
    return [number(circle, 'cx'), { length: words.slice(0, cut), value: words.slice(cut + 2) }];
  });
  return { group, name, points: new Map(points) };
}

/** Points at the nearest of some places, whose words appear; returns what does so by mouse and keys. */
function point_by(figure, columns, rows, at_start, show) {
  const picture = figure.querySelector('svg');
  let place = null;
  const nearest = (list, at) => list.reduce((best, n) => (Math.abs(n - at) < Math.abs(best - at) ? n : best));
  const go = (x, y) => {
    if (place && place.x === x && place.y === y) return;
    place = { x, y };
    show(x, y);
  };
  picture.addEventListener('pointermove', (event) => {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(picture.getScreenCTM().inverse());
    go(nearest(columns, at.x), nearest(rows, at.y));
  });
  figure.addEventListener('keydown', (event) => {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!step || (step[1] !== 0 && rows.length === 1) || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    if (!place) return go(...at_start);
    const moved = (list, n, by) => list[Math.max(0, Math.min(list.length - 1, list.indexOf(n) + by))];
    go(moved(columns, place.x, step[0]), moved(rows, place.y, step[1]));
  });
}

function prepare_chart(figure) {
  const picture = figure.querySelector('svg');
  const lines = [...picture.querySelectorAll('.line')].map(line_of);
  const columns = each_once(lines.flatMap((line) => [...line.points.keys()]));
  if (columns.length === 0) return;
  const grid = picture.querySelector('line'); // the first one of the axes, upright
  const mark = svg('line', { class: 'place', y1: grid.getAttribute('y1'), y2: grid.getAttribute('y2') });
  point_by(figure, columns, [0], [columns[0], 0], (x) => {
    const there = lines.filter((line) => line.points.has(x)).map((line) => ({ ...line, ...line.points.get(x) }));
    there.sort((a, b) => microseconds(a.value) - microseconds(b.value)); // those alike as in the picture
    const table = html('table', html('caption', `${there[0].length} bytes`));
    for (const one of there) {
      const times = microseconds(one.value) / microseconds(there[0].value);
      const row = html('tr', html('td', one.name), html('td', one.value), html('td', `x ${times.toFixed(2)}`));
      row.addEventListener('pointerenter', () => one.group.classList.add('marked'));
      row.addEventListener('pointerleave', () => one.group.classList.remove('marked'));
      table.append(row);
    }
    for (const { group } of lines) group.classList.remove('marked');
    mark.setAttribute('x1', x);
    mark.setAttribute('x2', x);
    picture.append(mark);
    figure.querySelector('figcaption').replaceChildren(table);
  });
}

function prepare_map(figure) {
  const picture = figure.querySelector('svg');
  const middle = (cell) => [number(cell, 'x') + number(cell, 'width') / 2, number(cell, 'y') + number(cell, 'height') / 2];
  const cells = new Map([...picture.querySelectorAll('.cell')].map((cell) => [middle(cell).join(), cell]));
  if (cells.size === 0) return;
  const places = [...cells.values()].map(middle);
  const columns = each_once(places.map(([x]) => x));
  const rows = each_once(places.map(([, y]) => y));
  const mark = svg('rect', { class: 'place' });
  point_by(figure, columns, rows, [columns[0], rows[rows.length - 1]], (x, y) => {
    const cell = cells.get([x, y].join());
    mark.remove();
    figure.querySelector('figcaption').textContent = cell ? cell.querySelector('title').textContent : 'no algorithm';
    if (!cell) return;
    for (const name of ['x', 'y', 'width', 'height']) mark.setAttribute(name, cell.getAttribute(name));
    picture.append(mark);
  });
}

for (const figure of document.querySelectorAll('figure')) {
  const picture = figure.querySelector('svg');
  picture.querySelector('title').remove(); // which would appear wherever the mouse rests
  picture.style.maxWidth = `${1.3 * number(picture, 'width')}px`;
  const letters = [...picture.querySelectorAll('text')].map((text) => number(text, 'font-size'));
  picture.style.minWidth = `${(10 / Math.min(...letters)) * number(picture, 'width')}px`; // letters of 10: it scrolls instead
  (figure.className === 'of-map' ? prepare_map : prepare_chart)(figure);
}
document.body.dataset.ready = 'yes';
)js";

/// `picture(one)` is its SVG.
template <class Drawn, class Picture>
std::string page(const std::string& title, const std::vector<Drawn>& all, std::string_view kind,
                 Picture&& picture) {
    std::string text = tutti::detail::page_head(title, colours::page_variables().append(style));
    text.append("<body>\n<h1>").append(tutti::xml_escaped(title)).append("</h1>\n");
    for (const Drawn& one : all) {
        text.append("<figure class=\"").append(kind).append("\" tabindex=\"0\" role=\"group\" aria-label=\"");
        text.append(tutti::xml_escaped(one.title)).append("\">\n<div class=\"picture\">\n");
        text.append(picture(one))
            .append("</div>\n<figcaption aria-live=\"polite\"><p class=\"hint\">Point at a place of the "
                    "picture for its "
                    "values, or move to it with the tab key and step by the arrow keys.</p></figcaption>\n"
                    "</figure>\n");
    }
    return text.append("<script>").append(script).append("</script>\n</body>\n</html>\n");
}

} // namespace

std::string chart_html(const std::string& title, const std::vector<chart>& charts) {
    return page(title, charts, "of-chart", [](const chart& c) { return chart_svg("", {c}); });
}

std::string map_html(const std::string& title, const std::vector<chart_map>& maps) {
    return page(title, maps, "of-map", [](const chart_map& m) { return map_svg("", {m}); });
}

} // namespace program
