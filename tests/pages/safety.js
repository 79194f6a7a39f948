// Lists of namesakes, changes to them by chance, and the page's own account of what was pressed. What a control stands
// for is known from the data its row shows, and from nothing that is read off the page: `meaning`.
(() => {
  'use strict';

  /** Numbers by chance, the same for the same seed. */
  const chance = (seed) => {
    let state = seed >>> 0;
    const next = () => {
      state = (state + 0x6d2b79f5) >>> 0;
      let t = Math.imul(state ^ (state >>> 15), 1 | state);
      t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
      return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
    };
    const below = (n) => Math.floor(next() * n);
    return { below, one: (list) => list[below(list.length)], maybe: (share) => next() < share };
  };

  const WORDS = ['Alice', 'Bob', 'Carol', 'Dave', 'Erin', 'Frank', 'Grace', 'Heidi', 'Ivan', 'Judy', 'Mallory', 'Niaj',
    'Olivia', 'Peggy', 'Rupert', 'Sybil', 'Trent', 'Victor', 'Walter', 'Zoe'];
  const BADGES = ['New', 'Sale', 'Unread'];
  const VERBS = ['Delete', 'Edit', 'Open'];
  const LAYOUTS = ['plain', 'plain', 'labelled', 'flat', 'table', 'list', 'cards', 'roles', 'grid', 'groups', 'panel'];

  let fresh = 0;
  /** What a row is of. No two are ever the same. */
  const item = (random, kind) => {
    fresh += 1;
    const key = kind === 'number' ? String(1000 + fresh)
      : kind === 'counted' ? `Message ${fresh}` : `${random.one(WORDS)} ${random.one(WORDS)}son ${'abcdefghijklmnopqrstuvwxyz'[fresh % 26]}${'abcdefghijklmnopqrstuvwxyz'[Math.floor(fresh / 26) % 26]}`;
    return { key, badge: random.maybe(0.2) ? random.one(BADGES) : '', count: random.below(90), unread: random.below(9) };
  };

  const rowOf = new WeakMap();
  const nameOf = new WeakMap();
  const controls = new Map();
  let numbered = 0;
  let presses = [];
  let lists = [];
  let onMouse = null;

  const element = (tag, text = '', attributes = {}) => {
    const made = document.createElement(tag);
    if (text) made.textContent = text;
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    return made;
  };

  /** What a control stands for, by the data. */
  const meaning = (control) => {
    const row = rowOf.get(control);
    const { verb, role } = nameOf.get(control);
    return `${role} ${verb} of ${row.item.key} in ${row.list.place}`;
  };

  const control = (row, verb) => {
    const tag = row.list.tag;
    const made = tag === 'a' ? element('a', verb, { href: '#here' })
      : tag === 'div' ? element('span', verb, { role: 'button', tabindex: '0' }) : element('button', verb, { type: 'button' });
    const role = tag === 'a' ? 'link' : 'button';
    numbered += 1;
    const id = `${row.list.place}-${numbered}`;
    rowOf.set(made, row);
    nameOf.set(made, { verb, role });
    controls.set(id, made);
    row.ids.push(id);
    for (const type of ['pointerdown', 'click'])
      made.addEventListener(type, (event) => {
        presses.push({ type, meaning: meaning(made), trusted: event.isTrusted });
        if (type === 'click') event.preventDefault();
      });
    made.addEventListener('mouseover', () => { const act = onMouse; onMouse = null; act?.(); });
    return made;
  };

  /** The parts of a row that show its data. */
  const parts = (row) => {
    const { list } = row;
    const key = element(list.layout === 'cards' || list.layout === 'panel' ? 'h3' : 'span');
    const badge = element('i');
    const count = element('small');
    const likes = element('em');
    const name = list.layout === 'labelled' ? element('b', 'Order') : null;
    row.show = () => {
      if (!list.author) key.textContent = row.item.key;
      else row.node.setAttribute('aria-label', row.item.key);
      badge.textContent = row.item.badge;
      count.textContent = ` (${row.item.unread}) `;
      likes.textContent = `${row.item.count} likes`;
    };
    return [list.badges ? badge : null, name, key, list.clocks ? element('tt', '12:00', { class: 'clock' }) : null, count, likes]
      .filter((part) => part);
  };

  const build = {
    /** @returns the row's nodes */
    boxes: (row, outer, inner) => {
      row.node = element(outer.tag, '', { class: 'row', ...outer.attributes });
      const cell = (part) => {
        if (!inner) return part;
        const made = element(inner.tag, '', inner.attributes);
        made.append(part);
        return made;
      };
      for (const part of [...parts(row), ...row.verbs.map((verb) => control(row, verb))]) row.node.append(cell(part));
      return [row.node];
    },
    flat: (row) => {
      row.node = element('span');
      const nodes = [];
      const [key] = [element('span')];
      row.show = () => { key.textContent = row.item.key; };
      nodes.push(key, ...row.verbs.map((verb) => control(row, verb)), element('br'));
      return nodes;
    },
  };

  const SHAPES = {
    plain: (row) => build.boxes(row, { tag: 'div' }),
    labelled: (row) => build.boxes(row, { tag: 'div' }),
    flat: (row) => build.flat(row),
    table: (row) => build.boxes(row, { tag: 'tr' }, { tag: 'td' }),
    list: (row) => build.boxes(row, { tag: 'li' }),
    cards: (row) => build.boxes(row, { tag: 'article' }),
    roles: (row) => build.boxes(row, { tag: 'div', attributes: { role: 'listitem' } }),
    grid: (row) => build.boxes(row, { tag: 'div', attributes: { role: 'row' } }, { tag: 'span', attributes: { role: 'gridcell' } }),
    groups: (row) => build.boxes(row, { tag: 'div', attributes: { role: 'group' } }),
    panel: (row) => build.boxes(row, { tag: 'div' }),
  };
  const HOLDERS = {
    table: () => element('table'),
    list: () => element('ul'),
    roles: () => element('div', '', { role: 'list' }),
    grid: () => element('div', '', { role: 'grid' }),
  };

  const rowIn = (list, of) => {
    const row = { list, item: of, ids: [], verbs: list.verbs, node: null, show: () => {} };
    row.nodes = SHAPES[list.layout](row);
    row.show();
    return row;
  };

  const roots = {};
  const rootOf = (place) => {
    if (place !== 'open' && place !== 'closed') return document.getElementById('main');
    roots[place] ||= document.getElementById(place).attachShadow({ mode: place });
    return roots[place];
  };

  const make = (place, seed) => {
    const random = chance(seed);
    const layout = random.one(LAYOUTS);
    const kind = layout === 'labelled' ? 'number' : random.one(['name', 'name', 'counted', 'number']);
    const list = {
      place, layout, kind,
      tag: random.one(['button', 'button', 'a', 'div']),
      author: layout === 'groups' && kind !== 'number',
      badges: random.maybe(0.3),
      clocks: random.maybe(0.5),
      verbs: random.maybe(0.5) ? ['Delete'] : VERBS.slice(0, 2 + random.below(2)),
      rows: [],
    };
    list.holder = (HOLDERS[layout] || (() => element('div')))();
    const many = layout === 'panel' ? 1 : 2 + random.below(3);
    for (let n = 0; n < many; n += 1) list.rows.push(rowIn(list, item(random, kind)));
    for (const row of list.rows) list.holder.append(...row.nodes);
    const root = rootOf(place);
    root.replaceChildren(list.holder);
    return list;
  };

  const replace = (list, rows) => {
    list.rows = rows;
    list.holder.replaceChildren(...rows.flatMap((row) => row.nodes));
  };
  const give = (list, items) => {
    list.rows.forEach((row, n) => { row.item = items[n]; row.show(); });
  };
  const items = (list) => list.rows.map((row) => row.item);
  const others = (list, random) => list.rows.map(() => item(random, list.kind));

  const CHANGES = {
    nothing: () => {},
    tick: (list, random) => {
      for (const row of list.rows) {
        row.item.count += 1 + random.below(3);
        row.item.unread = random.below(9);
        row.show();
        for (const clock of row.node.querySelectorAll?.('.clock') ?? []) clock.textContent = `12:${10 + random.below(49)}`;
      }
    },
    recycle: (list, random) => give(list, others(list, random)),
    sortedUnderTheNodes: (list) => give(list, [...items(list).slice(1), items(list)[0]]),
    sorted: (list) => replace(list, [...list.rows].reverse()),
    inserted: (list, random) => replace(list, [rowIn(list, item(random, list.kind)), ...list.rows]),
    removed: (list, random) => {
      const gone = random.below(list.rows.length);
      if (list.rows.length > 1) replace(list, list.rows.filter((_, n) => n !== gone));
    },
    renderedAnew: (list) => replace(list, items(list).map((of) => rowIn(list, of))),
    otherRows: (list, random) => replace(list, others(list, random).map((of) => rowIn(list, of))),
    scrolledOn: (list, random) => {
      // A virtual list: the first nodes come last, with what is next.
      const [first, ...rest] = list.rows;
      first.item = item(random, list.kind);
      first.show();
      replace(list, [...rest, first]);
    },
    swappedControls: (list) => {
      if (list.rows.length < 2) return;
      const [one, other] = list.rows;
      const [a, b] = [controls.get(one.ids[0]), controls.get(other.ids[0])];
      const mark = document.createComment('');
      a.replaceWith(mark);
      b.replaceWith(a);
      mark.replaceWith(b);
      [one.ids[0], other.ids[0]] = [other.ids[0], one.ids[0]];
      one.nodes = one.nodes.map((node) => (node === a ? b : node));
      other.nodes = other.nodes.map((node) => (node === b ? a : node));
      rowOf.set(a, other);
      rowOf.set(b, one);
    },
    renamed: (list, random) => {
      const row = random.one(list.rows);
      const it = controls.get(row.ids[0]);
      it.textContent = 'Restore';
      nameOf.set(it, { ...nameOf.get(it), verb: 'Restore' });
    },
    hidden: (list, random) => { for (const node of random.one(list.rows).nodes) node.classList.add('off'); },
    inert: (list, random) => { for (const node of random.one(list.rows).nodes) node.inert = true; },
    otherView: (list, random) => {
      history.pushState(null, '', `?view=${fresh}`);
      give(list, others(list, random));
    },
    underTheMouse: (list, random) => { onMouse = () => give(list, others(list, random)); },
    recycledSoon: (list, random) => { setTimeout(() => give(list, others(list, random)), random.below(40)); },
  };

  const isThere = (it) => it.isConnected && it.checkVisibility() && !it.closest('[inert]');
  const account = () => ({
    controls: lists.flatMap((list) => list.rows.flatMap((row) => row.ids.map((id) => {
      const it = controls.get(id);
      return { id, name: nameOf.get(it).verb, meaning: meaning(it), there: isThere(it), visible: it.isConnected && it.checkVisibility() };
    }))),
    presses: presses.splice(0),
  });

  const calls = {
    clear: () => {
      lists = [];
      controls.clear();
      presses = [];
      onMouse = null;
      for (const place of ['main', ...Object.keys(roots)]) rootOf(place).replaceChildren();
    },
    make: (place, seed) => { lists.push(make(place, seed)); },
    change: (seed) => {
      const random = chance(seed);
      const name = random.one(Object.keys(CHANGES));
      if (lists.length) CHANGES[name](random.one(lists), random);
      return name;
    },
    account,
  };

  // A frame answers its page by messages, whatever its site.
  addEventListener('message', ({ data, source }) => {
    if (!data || typeof data.call !== 'string') return;
    source.postMessage({ answer: data.number, value: calls[data.call](...data.arguments) }, '*');
  });
  const waiting = new Map();
  let asked = 0;
  addEventListener('message', ({ data }) => {
    if (!data || typeof data.answer !== 'number') return;
    waiting.get(data.answer)?.(data.value);
    waiting.delete(data.answer);
  });
  const ask = (place, call, ...rest) => {
    if (place !== 'same' && place !== 'cross') return Promise.resolve(calls[call](...rest));
    asked += 1;
    document.getElementById(place).contentWindow.postMessage({ call, arguments: rest, number: asked }, '*');
    return new Promise((go) => waiting.set(asked, go));
  };

  // For the judge.
  let places = [];
  globalThis.namesakes = {
    /** New lists in one to three places. */
    async begin(seed) {
      const random = chance(seed);
      for (const place of ['main', 'same', 'cross']) await ask(place, 'clear');
      const all = ['main', 'open', 'closed', 'same', 'cross'];
      const many = random.one([1, 1, 2, 3]);
      places = all.filter((_, n) => ((n + random.below(5)) % 5) < many);
      if (!places.length) places = [random.one(all)];
      for (const place of places) await ask(place, 'make', place, seed * 7 + all.indexOf(place));
      return places;
    },
    /** Changes something in one of the places; says what. */
    async change(seed) {
      const place = chance(seed).one(places);
      return `${await ask(place, 'change', seed)} in ${place}`;
    },
    /** What stands where, in the order of the page, and what was pressed since. */
    async account() {
      const seen = new Set();
      const sum = { controls: [], presses: [] };
      for (const place of ['main', 'same', 'cross']) {
        const { controls: those, presses: pressed } = await ask(place, 'account');
        sum.controls.push(...those);
        sum.presses.push(...pressed);
        seen.add(place);
      }
      const order = ['main', 'open', 'closed', 'same', 'cross'];
      sum.controls.sort((a, b) => order.indexOf(a.id.split('-')[0]) - order.indexOf(b.id.split('-')[0]));
      return sum;
    },
  };

  // Something ticks at all times.
  const clock = document.getElementById('clock');
  if (clock) setInterval(() => { clock.textContent = new Date().toTimeString().slice(0, 8); }, 230);
})();
