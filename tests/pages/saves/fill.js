// Fills a page out to the size it would have when saved from life, always in the same way. Each `template` with
// `data-times` is replaced by that many copies; in them, `[[…]]` stands for something of its kind: `[[i]]` the copy's
// number, `[[w3]]` three words, `[[s2]]` two sentences, `[[n1-99]]` a number, `[[price]]`, `[[person]]`, `[[date]]`,
// `[[time]]`, `[[one of|these]]`. Templates may hold templates. Afterwards no trace of the filling is left.
(() => {
  const WORDS = `harbour copper lantern meadow signal barrel winter maple engine bridge paper garden thunder ladder
    button silver cabin morning river pocket canvas orchard bottle window feather island market sugar station needle
    kettle border compass velvet anchor forest candle mirror tunnel valley basket hammer planet saddle tower pepper
    ribbon marble cotton shadow ticket hollow simple quiet broad narrow early ready gentle plain steady useful bright
    local spare double recent open final common early careful carries turns keeps moves builds opens holds follows
    reaches joins measures sorts changes returns needs gives finds shows under over beside without between after
    before near toward during the a its every some this each another most`.split(/\s+/);
  const PEOPLE = ['Ada Brook', 'Tomas Weir', 'Ines Calder', 'Omar Lunt', 'Greta Moss', 'Yuki Arden', 'Pavel Stone',
    'Nora Fenwick', 'Luca Hale', 'Mina Thorne', 'Sven Parrish', 'Rosa Quill'];
  const MONTHS = ['January', 'March', 'April', 'June', 'August', 'October', 'December'];
  let state = 20_090_117;

  /** A number below `limit`: a linear congruence, its upper bits. */
  const below = (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor(state / 4_294_967_296 * limit);
  };
  const pick = (list) => list[below(list.length)];
  const words = (count) => Array.from({ length: count }, () => pick(WORDS)).join(' ');
  const capital = (text) => text[0].toUpperCase() + text.slice(1);
  const sentence = () => `${capital(words(6 + below(9)))}.`;

  const KINDS = [
    [/^w(\d+)$/, (count) => words(Number(count))],
    [/^W(\d+)$/, (count) => capital(words(Number(count)))],
    [/^s(\d+)$/, (count) => Array.from({ length: Number(count) }, sentence).join(' ')],
    [/^n(\d+)-(\d+)$/, (low, high) => String(Number(low) + below(Number(high) - Number(low) + 1))],
    [/^price$/, () => `€${3 + below(240)}.${10 + below(90)}`],
    [/^person$/, () => pick(PEOPLE)],
    [/^date$/, () => `${1 + below(28)} ${pick(MONTHS)}`],
    [/^time$/, () => `${8 + below(12)}:${10 + below(50)}`],
    [/^(.*\|.*)$/, (list) => pick(list.split('|'))],
  ];

  const put = (mark, index) => {
    if (mark === 'i') return String(index);
    for (const [form, give] of KINDS) {
      const match = form.exec(mark);
      if (match) return give(...match.slice(1));
    }
    throw new Error(`nothing is called [[${mark}]]`);
  };

  /** Templates inside come to their own turn, copy by copy. */
  const fill = (root) => {
    for (let template = root.querySelector('template[data-times]'); template;
      template = root.querySelector('template[data-times]')) {
      const copies = [];
      for (let index = 1; index <= Number(template.dataset.times); index += 1) {
        const [outside, ...inside] = template.innerHTML.split(/(?=<template)/);
        const own = (text) => text.replace(/\[\[([^\]]+)\]\]/g, (_, mark) => put(mark, index));
        const text = own(outside) + inside.map((part) => {
          const end = part.lastIndexOf('</template>');
          return end < 0 ? part : part.slice(0, end) + own(part.slice(end));
        }).join('');
        const copy = document.createElement('template');
        // Within a drawing a template is an element of the drawing, and so are its copies.
        const isDrawn = template.namespaceURI === 'http://www.w3.org/2000/svg';
        copy.innerHTML = isDrawn ? `<svg>${text}</svg>` : text;
        if (isDrawn) copy.content.replaceChildren(...copy.content.firstChild.childNodes);
        fill(copy.content);
        copies.push(copy.content);
      }
      template.replaceWith(...copies);
    }
  };

  addEventListener('DOMContentLoaded', () => {
    fill(document);
    for (const script of document.querySelectorAll('script')) script.remove();
  });
})();
