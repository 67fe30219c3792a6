// SPDX-License-Identifier: BSL-1.0
#pragma once

namespace tutti::detail {

/// How the page of a schedule looks. All colours are variables, those of colours::page_variables(), which
/// stand before it; --load0 to --load7 are the classes of load_scale.hpp.
inline constexpr const char* page_style = R"css(
:root { color-scheme: light dark; --mark: color-mix(in srgb, var(--focus) 16%, var(--sheet)); }
* { box-sizing: border-box; }
body {
  margin: 0 auto; max-width: 84rem; padding: 1.2rem 1.5rem 3rem; background: var(--sheet); color: var(--ink);
  font: 1rem/1.45 system-ui, "DejaVu Sans", Verdana, Helvetica, Arial, sans-serif;
}
h1 { font-size: 1.5rem; margin: 0 0 .2rem; line-height: 1.2; }
h2 { font-size: 1.05rem; margin: 0 0 .4rem; }
p { margin: .15rem 0; }
.facts, .hint, figcaption { color: var(--quiet); font-size: .9rem; }
.hint kbd {
  font: inherit; font-size: .8rem; border: 1px solid var(--line); border-radius: 3px; padding: 0 .35em;
}
button {
  font: inherit; color: var(--ink); background: var(--paper); border: 1px solid var(--line);
  border-radius: 5px; padding: .25rem .7rem; min-width: 2.6rem; cursor: pointer;
}
button svg { width: 1rem; height: 1rem; fill: currentColor; vertical-align: -.12rem; }
button:hover:not(:disabled) { border-color: var(--quiet); }
button:disabled { opacity: .45; cursor: default; }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
.defs { position: absolute; width: 0; height: 0; }
.controls {
  position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap; gap: .5rem; align-items: center;
  padding: .6rem 0; margin-top: .6rem; background: var(--sheet); border-bottom: 1px solid var(--line);
}
.controls input { flex: 1 1 10rem; accent-color: var(--copy); }
#where { min-width: 9.5rem; font-variant-numeric: tabular-nums; font-weight: 600; }
section { margin-top: 1.3rem; }
.parts { display: grid; grid-template-columns: minmax(0, 1fr) 18rem; gap: 0 1.5rem; align-items: start; }
.networked { grid-template-columns: repeat(2, minmax(0, 1fr)); gap: .6rem 1.5rem; }
.networked section { margin-top: .3rem; }
@media (min-width: 50rem) { .networked > section figure > svg { max-height: calc(100vh - 20rem); min-height: 16rem; } }
.networked > section:first-child { grid-row: span 2; }
.networked > .detail { position: static; max-height: none; }
.overview:has(~ .networked) svg { max-height: 5.5rem; }
.detail ul { margin: .3rem 0; padding: 0; list-style: none; }
.detail { position: sticky; top: 4.2rem; max-height: calc(100vh - 5rem); overflow: auto; font-size: .92rem; }
@media (max-width: 62rem) {
  .parts:not(.networked) { grid-template-columns: minmax(0, 1fr); }
  .parts:not(.networked) > section:first-child { display: contents; } /* what was clicked stands before the legend */
  .detail { position: static; max-height: none; }
}
.figures { border-collapse: collapse; margin-top: .6rem; }
.figures th, .figures td { padding: .1rem 1.6rem .1rem 0; text-align: left; border-top: 1px solid var(--line); }
.figures th { font-weight: 600; }
.figures td { font-variant-numeric: tabular-nums; }
.compared { max-width: 150rem; }
.sides { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 0 2.5rem; }
.side { display: grid; grid-row: span 5; grid-template-columns: minmax(0, 1fr); grid-template-rows: subgrid; align-items: start; }
.side > header { grid-row: 1; } .side > .overview { grid-row: 2; } .side > .words { grid-row: 3; }
.side > .parts { grid-row: 4; grid-template-columns: minmax(0, 1fr); }
.side > .of-timeline { grid-row: 5; }
.side .detail { position: static; max-height: none; margin-top: 1rem; }
@media (max-width: 50rem) {
  .sides, .networked { grid-template-columns: minmax(0, 1fr); }
  .networked > section:first-child { display: contents; }
}
.detail table { border-collapse: collapse; width: 100%; margin-top: .4rem; }
.detail td { padding: .1rem .5rem .1rem 0; vertical-align: top; border-top: 1px solid var(--line); }
.detail td:first-child { width: 3.4rem; }
.detail td button { min-width: 2.2rem; padding: 0 .4rem; }
.detail tr.now td { background: var(--mark); font-weight: 600; }
figure { margin: 0; overflow-x: auto; }
svg { display: block; width: 100%; height: auto; }
.overview svg, .parts:not(.networked) > section > figure > svg { min-width: var(--least); }
.timeline svg { min-width: 74rem; }
@media (max-width: 50rem) { .networked > section > figure > svg { min-width: var(--least); } }
svg text { fill: var(--ink); font-family: inherit; font-variant-numeric: tabular-nums; }
svg .quiet { fill: var(--quiet); }
.axis { stroke: var(--line); stroke-width: .6; }
.vector { fill: var(--paper); stroke: var(--line); }
.grid { stroke: var(--sheet); stroke-width: .8; pointer-events: none; }
.held { fill: var(--copy); }
.stale { fill: url(#stale); }
.stripe { fill: var(--line); }
.own { stroke: var(--quiet); stroke-width: .6; }
.rank { cursor: pointer; }
.rank .ground { fill: transparent; }
.rank:hover .ground, .chosen .ground { fill: var(--mark); }
.chosen .ground { stroke: var(--focus); }
.rank .vector.changed { stroke: var(--ink); stroke-width: 1.5; }
.message { cursor: pointer; }
.message .hit { stroke: transparent; stroke-width: 10; fill: none; }
.message .way { fill: none; stroke: var(--copy); stroke-width: 1.4; stroke-opacity: var(--shade, 1); }
.message.fold .way { stroke: var(--fold); stroke-width: 2.4; }
.message.sign .way { stroke: var(--quiet); stroke-dasharray: 3 3; }
.message:hover .way, .message.chosen .way { stroke-width: 4; stroke-opacity: 1; }
.message .cargo { font-size: 10px; paint-order: stroke; stroke: var(--sheet); stroke-width: 3px; }
.message.aside { opacity: .18; }
.head-copy { fill: none; stroke: var(--copy); stroke-width: 1.6; }
.head-fold { fill: var(--fold); }
.parcel { fill: var(--copy); pointer-events: none; }
.parcel.fold { fill: var(--fold); }
.overview svg { height: auto; max-height: 11rem; cursor: pointer; }
.overview .column { fill: transparent; }
.overview .column:hover { fill: var(--paper); }
.overview .column.now { fill: var(--mark); stroke: var(--focus); }
.overview path { fill: none; stroke: var(--copy); stroke-width: 1; stroke-opacity: var(--shade, 1); pointer-events: none; }
.overview path.fold { stroke: var(--fold); stroke-width: 1.3; }
.overview .phase path { stroke: var(--quiet); stroke-width: 1; }
.legend { order: 1; display: flex; flex-wrap: wrap; gap: .2rem 1.4rem; margin-top: .4rem; }
.legend svg { display: inline-block; width: 2.2rem; height: .9rem; vertical-align: -.1rem; margin-right: .4rem; }
.switch { fill: var(--paper); stroke: var(--quiet); }
.node { fill: var(--ink); stroke: var(--ink); }
.node.hole { fill: none; stroke: var(--quiet); stroke-dasharray: 2.5 2; }
[data-link], .node[data-rank] { cursor: pointer; }
[data-link] path { fill: none; }
.hit { stroke: transparent; stroke-width: 8; }
[data-link]:hover .link, [data-link].chosen .link { stroke: var(--ink) !important; }
.ways .way { fill: none; stroke: var(--way); stroke-width: 2.2; pointer-events: none; stroke-linecap: round; }
.node.chosen { fill: var(--fold); stroke: var(--fold); }
.timeline svg > rect:first-of-type { fill: none; }
.timeline .path { stroke: var(--ink); }
.timeline .activity.now { stroke: var(--ink); stroke-width: 1; }
.timeline [data-message] { cursor: pointer; }
.timeline .picked { stroke: var(--ink); stroke-width: 2; }
.every-round { display: none; }
@media print {
  .controls, .hint, .detail, .words, .every-round:not(:empty) ~ .parts figure { display: none; }
  .every-round, .parts, .sides, .side { display: block; }
  .overview svg, .one-round svg, .timeline svg { min-width: 0; }
  .overview svg { max-height: none; }
  .one-round { break-inside: avoid; }
  .one-round figure ~ figure svg { max-height: 32vh; }
}
)css";

} // namespace tutti::detail
