// Dresses a page up as a site of widget examples does: a bar of links, the way here, a list of what is on the page,
// tables of keys and attributes from plain text, the example's own markup as code, links to further pages.
'use strict';
const make = (html) => {
  const box = document.createElement('template');
  box.innerHTML = html.trim();
  return box.content;
};
const escape = (text) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');
const rows = (script) => script.textContent.trim().split('\n').map((line) => line.split('|').map((cell) => cell.trim()));
const coded = (text) => escape(text).replace(/`([^`]+)`/g, '<code>$1</code>');

const main = document.querySelector('main');
const title = main.querySelector('h1').textContent;
const widget = main.dataset.widget;
const sample = main.querySelector('.example').innerHTML.trim();

// What such a page prints as its source.
const script = `class ${widget.replace(/\W/g, '')}Example {
  constructor(root) {
    this.root = root;
    this.parts = [...root.querySelectorAll('[data-part]')];
    this.current = 0;
    root.addEventListener('keydown', (event) => this.onKey(event));
    root.addEventListener('click', (event) => this.onClick(event));
    root.addEventListener('focusin', (event) => this.onFocus(event));
  }

  // Moves the one stop in the order of focus, and focus with it.
  moveTo(index) {
    const last = this.parts.length - 1;
    const next = index < 0 ? last : index > last ? 0 : index;
    this.parts[this.current].tabIndex = -1;
    this.parts[next].tabIndex = 0;
    this.parts[next].focus();
    this.current = next;
  }

  onKey(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const moves = {
      ArrowRight: this.current + 1,
      ArrowDown: this.current + 1,
      ArrowLeft: this.current - 1,
      ArrowUp: this.current - 1,
      Home: 0,
      End: this.parts.length - 1,
    };
    if (event.key in moves) {
      this.moveTo(moves[event.key]);
    } else if (event.key === 'Enter' || event.key === ' ') {
      this.toggle(this.parts[this.current]);
    } else if (event.key === 'Escape') {
      this.close();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  onClick(event) {
    const part = event.target.closest('[data-part]');
    if (part) this.toggle(part);
  }

  onFocus(event) {
    const index = this.parts.indexOf(event.target);
    if (index >= 0) this.current = index;
  }

  toggle(part) {
    const isOpen = part.getAttribute('aria-expanded') === 'true';
    part.setAttribute('aria-expanded', String(!isOpen));
    document.getElementById(part.getAttribute('aria-controls')).hidden = isOpen;
  }

  close() {
    for (const part of this.parts) {
      if (part.getAttribute('aria-expanded') === 'true') this.toggle(part);
    }
  }
}

for (const root of document.querySelectorAll('.${widget}')) new ${widget.replace(/\W/g, '')}Example(root);
`;

for (const script of main.querySelectorAll('script.keys')) {
  const body = rows(script).map(([key, ...does]) => `<tr><th scope="row"><kbd>${escape(key)}</kbd></th><td><ul>${
    does.map((text) => `<li>${coded(text)}</li>`).join('')}</ul></td></tr>`).join('\n');
  script.replaceWith(make(`<table aria-label="${escape(script.title || 'Keyboard support')}" class="data"><thead>
    <tr><th scope="col">Key</th><th scope="col">Function</th></tr></thead><tbody>${body}</tbody></table>`));
}
for (const script of main.querySelectorAll('script.attributes')) {
  const body = rows(script).map(([role, attribute, element, ...usage]) => `<tr>
    ${role ? `<th scope="row"><code>${escape(role)}</code></th>` : '<td></td>'}
    ${attribute ? `<th scope="row"><code>${escape(attribute)}</code></th>` : '<td></td>'}
    <td><code>${escape(element)}</code></td><td><ul>${usage.map((text) => `<li>${coded(text)}</li>`).join('')}</ul></td></tr>`).join('\n');
  script.replaceWith(make(`<table aria-label="Roles, states and properties" class="data"><thead><tr><th scope="col">Role</th>
    <th scope="col">Attribute</th><th scope="col">Element</th><th scope="col">Usage</th></tr></thead><tbody>${body}</tbody></table>`));
}

main.append(make(`<section><h2 id="source">Source of this example</h2><ul>
  <li>Style: <a href="css/${widget}.css">${widget}.css</a></li><li>Script: <a href="js/${widget}.js">${widget}.js</a></li></ul>
  <p>The markup between the two rules above, as it was sent:</p><pre><code>${escape(sample)}</code></pre>
  <p>The script in full. It is written to be read and not to be short; take out what your page does not need.</p>
  <pre><code>${escape(script)}</code></pre>
  <h3>Terms</h3><p>Markup, style and script of this example may be used, changed and passed on by anyone, for money or not,
  as long as nobody is told that the handbook approves of the result. They come without any promise that they fit a purpose.</p></section>`));
const headings = [...main.querySelectorAll('h2, h3')];
headings.forEach((heading, index) => { heading.id ||= `part-${index}`; });
main.querySelector('h1').after(make(`<div class="notice" role="note" aria-label="What this example is for"><h2>Before you copy this</h2>
  <p>It shows one way to build a ${escape(widget)} and says nothing of how well each browser and each screen reader
  supports it. Try it with those that your readers use; where HTML has an element of its own for the job, prefer it.</p></div>
  <nav aria-label="On this page" class="contents"><h2>On this page</h2><ul>${
  headings.map((heading) => `<li><a href="#${heading.id}">${escape(heading.textContent)}</a></li>`).join('')}</ul></nav>`));
main.querySelector('.example').before(make(`<div class="bar"><button type="button" class="playground">Open in playground</button></div><hr>`));
main.querySelector('.example').after(make('<hr>'));

const menu = ['Patterns', 'Practices', 'Landmarks', 'Index', 'About', 'News'];
document.body.prepend(make(`<a class="skip" href="#main">Skip to the content</a><header><div class="brand">
  <a href="/"><img alt="Widget Handbook" src="data:," width="20" height="20"></a></div><nav aria-label="Site"><ul>${
  menu.map((name) => `<li><a href="/${name.toLowerCase()}"${name === 'Patterns' ? ' aria-current="page"' : ''}>${name}</a></li>`).join('')}</ul></nav>
  <form role="search" action="/search"><label>Search the handbook <input type="search" name="q"></label><button>Search</button></form></header>
  <nav aria-label="Breadcrumb"><ol><li><a href="/">Home</a></li><li><a href="/patterns">Patterns</a></li>
  <li><a href="/patterns/${widget}">${widget}</a></li><li><a href="#" aria-current="page">${escape(title)}</a></li></ol></nav>`));
document.body.append(make(`<aside aria-label="Related"><h2>Related</h2><ul><li><a href="/patterns/${widget}">The ${widget} pattern</a></li>
  <li><a href="/issues?label=${widget}">Open questions about it</a></li><li><a href="/practices/names">Names and descriptions</a></li>
  <li><a href="/practices/keyboard">Keyboard interfaces</a></li></ul></aside><footer><h2>Help improve this page</h2>
  <p>Please tell what is wrong or missing: <a href="/report">report it</a>, <a href="/edit/${widget}">edit the page</a>, or
  <a href="mailto:handbook@example.org">write to the list</a>.</p><ul><li><a href="/contact">Contact</a></li>
  <li><a href="/help">Help</a></li><li><a href="/privacy">Privacy</a></li><li><a href="/terms">Terms</a></li></ul><p>Last changed on 3 May 2026.</p></footer>`));
