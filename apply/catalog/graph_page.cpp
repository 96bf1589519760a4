// What a browser shows of a catalog: a tree of what contains what, and all about the chosen resource.
// Everything is a link, so that keyboards reach it, the back button works, and an address names a resource.

#include "apply/catalog/graph_page.hpp"

namespace volley {

std::string_view graph_page_head() {
    return R"html(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:">
<link rel="icon" href="data:,"><title>Catalog</title><style>
:root { color-scheme: light dark; font: 14px/1.5 system-ui, sans-serif; }
body { margin: 0; display: grid; grid-template: auto 1fr / minmax(18rem, 2fr) 3fr; height: 100vh; }
header { grid-column: 1 / -1; padding: .5rem 1rem; border-bottom: 1px solid #8886; display: flex; flex-wrap: wrap;
  gap: .3rem 1rem; align-items: baseline; }
header input { flex: 1 1 12rem; max-width: 30rem; font: inherit; padding: .2rem .5rem; }
#count, .note { color: GrayText; }
#tree, #detail { overflow: auto; padding: .5rem 1rem; }
#tree { border-right: 1px solid #8886; }
ul { list-style: none; margin: 0; padding-left: 1.1rem; } #tree > ul { padding-left: 0; }
a { color: inherit; text-decoration: none; overflow-wrap: anywhere; } a:hover { text-decoration: underline; }
#detail a { color: LinkText; }
a.chosen { font-weight: bold; }
h2 { margin: .3rem 0 .8rem; font-size: 1.3em; overflow-wrap: anywhere; }
th { text-align: left; font-weight: normal; color: GrayText; white-space: nowrap; }
th, td { vertical-align: top; padding: .15rem .8rem .15rem 0; }
pre { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; }
@media (max-width: 40rem) { body { grid-template: auto 1fr 1fr / 1fr; } #tree { border-right: 0; border-bottom: 1px solid #8886; } }
</style></head><body>
<header><strong id="name"></strong><span id="count"></span>
<input id="find" type="search" aria-label="Search" placeholder="Search  ( / )" autocomplete="off"></header>
<nav id="tree"></nav><main id="detail"></main>
<script id="data" type="application/json">)html";
}

std::string_view graph_page_tail() {
    return R"html(</script><script>
const most_found = 1000, few = 300;
const data = JSON.parse(document.getElementById('data').textContent);
const element = id => document.getElementById(id);
const resources = new Map(data.resources), inside = new Map(), contained = new Set(), relations = new Map();
const add = (map, key, value) => { if (!map.has(key)) map.set(key, []); map.get(key).push(value); };
const backwards = { contains: 'is in', before: 'after', notifies: 'notified by' };
for (const [kind, from, to] of data.edges) {
  if (kind === 'contains') { add(inside, from, to); contained.add(to); }
  add(relations, from, [kind, to]); add(relations, to, [backwards[kind], from]);
}
document.title = element('name').textContent = data.name || 'Catalog';

function made(tag, text, ...content) {
  const one = document.createElement(tag);
  if (text) one.textContent = text;
  one.append(...content);
  return one;
}
function link(reference) {
  const a = made('a', reference);
  a.href = '#' + encodeURIComponent(reference);
  a.dataset.reference = reference;
  if (reference === chosen()) a.classList.add('chosen');
  return a;
}
function branch(references, above) {
  const list = made('ul');
  for (const reference of references) {
    if (above.has(reference)) continue;
    const content = inside.get(reference);
    if (!content) { list.append(made('li', '', link(reference))); continue; }
    const details = made('details', '', made('summary', '', link(reference)));
    const unfold = () => { if (details.children.length === 1) details.append(branch(content, new Set([...above, reference]))); };
    details.ontoggle = () => { if (details.open) unfold(); };
    if (above.size === 0 || (above.size === 1 && resources.size <= few)) { details.open = true; unfold(); }
    list.append(made('li', '', details));
  }
  return list;
}
function tree(words) {
  if (!words) {
    element('count').textContent = resources.size + ' resources';
    return element('tree').replaceChildren(branch([...resources.keys()].filter(one => !contained.has(one)), new Set()));
  }
  const found = [...resources.keys()].filter(one => one.toLowerCase().includes(words));
  element('count').textContent = found.length + ' of ' + resources.size + ' resources';
  const list = made('ul');
  for (const reference of found.slice(0, most_found)) list.append(made('li', '', link(reference)));
  if (found.length > most_found) list.append(made('li', 'and ' + (found.length - most_found) + ' more'));
  if (!found.length) list.append(made('li', 'Nothing is called so.'));
  element('tree').replaceChildren(list);
}
function chosen() {
  try { return decodeURIComponent(location.hash.slice(1)); } catch { return ''; }
}
function row(table, name, ...content) { table.append(made('tr', '', made('th', name), made('td', '', ...content))); }
function overview() {
  const counts = new Map(), table = made('table');
  for (const one of resources.keys()) { const type = one.slice(0, one.indexOf('[')); counts.set(type, (counts.get(type) || 0) + 1); }
  for (const [type, count] of [...counts].sort((a, b) => b[1] - a[1])) row(table, type, String(count));
  element('detail').replaceChildren(made('h2', resources.size + ' resources'), table);
}
function show() {
  const reference = chosen(), resource = resources.get(reference), table = made('table');
  for (const a of document.querySelectorAll('#tree a')) a.classList.toggle('chosen', a.dataset.reference === reference);
  if (!reference) return overview();
  if (!resource) row(table, '', 'This catalog has no such resource.');
  else if (resource.at) row(table, 'declared', resource.at);
  for (const [name, value] of Object.entries(resource ? resource.parameters : {}))
    row(table, name, made('pre', typeof value === 'string' ? value : JSON.stringify(value, null, 1)));
  for (const [kind, other] of relations.get(reference) || []) row(table, kind, link(other));
  element('detail').replaceChildren(made('h2', reference), table);
  element('detail').scrollTop = 0;
}
document.onkeydown = event => {
  const find = element('find'), step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (event.key === '/' && document.activeElement !== find) { event.preventDefault(); find.focus(); find.select(); }
  else if (event.key === 'Escape') { find.value = ''; tree(''); find.focus(); }
  else if (step && (document.activeElement === find || element('tree').contains(document.activeElement))) {
    const all = [...document.querySelectorAll('#tree a')].filter(a => a.getClientRects().length > 0);
    const next = all[all.indexOf(document.activeElement) + step];
    if (next) { event.preventDefault(); next.focus(); }
  }
};
element('find').oninput = event => tree(event.target.value.toLowerCase());
window.onhashchange = show;
tree('');
show();
</script></body></html>
)html";
}

}  // namespace volley
