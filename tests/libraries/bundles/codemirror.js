// CodeMirror 6: code that is contenteditable and is drawn line by line, with brackets closed by themselves.
import { basicSetup, EditorView } from 'codemirror';
import { javascript } from '@codemirror/lang-javascript';

globalThis.view = new EditorView({
  doc: 'let a = 1;',
  parent: document.getElementById('editor'),
  extensions: [
    basicSetup,
    javascript(),
    EditorView.contentAttributes.of({ 'aria-label': 'Code' }),
    EditorView.updateListener.of((it) => it.docChanged && record('state', 'editor', it.state.doc.toString())),
  ],
});
