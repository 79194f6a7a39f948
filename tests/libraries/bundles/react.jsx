// React with fields that it holds itself: each keystroke is rendered anew, some are refused or written otherwise.
import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import Select from 'react-select';
import CreatableSelect from 'react-select/creatable';

const cities = ['Amsterdam', 'Berlin', 'Copenhagen', 'Dublin', 'Edinburgh'].map((label) => ({ label, value: label.toLowerCase() }));

function Field({ id, label, type = 'text', change = (it) => it }) {
  const [value, set] = useState('');
  const changed = (event) => {
    const next = change(event.target.value, value);
    set(next);
    record('state', id, next);
  };
  return <p><label htmlFor={id}>{label}</label> <input id={id} type={type} value={value} onChange={changed} /></p>;
}

function Area() {
  const [value, set] = useState('first');
  const changed = (event) => (set(event.target.value), record('state', 'notes', event.target.value));
  return <p><label htmlFor="notes">Notes</label> <textarea id="notes" value={value} onChange={changed} /></p>;
}

function Choices() {
  const [agreed, agree] = useState(false);
  const [size, resize] = useState('s');
  const [colour, paint] = useState('red');
  return <fieldset>
    <legend>Choices</legend>
    <label><input type="checkbox" id="agree" checked={agreed} onChange={(e) => (agree(e.target.checked), record('state', 'agree', e.target.checked))} /> I agree</label>
    {['s', 'm', 'l'].map((it) => <label key={it}><input type="radio" name="size" checked={size === it} onChange={() => (resize(it), record('state', 'size', it))} /> Size {it.toUpperCase()}</label>)}
    <label>Colour <select value={colour} onChange={(e) => (paint(e.target.value), record('state', 'colour', e.target.value))}>
      <option value="red">Red</option><option value="blue">Blue</option></select></label>
    <input type="range" aria-label="Volume" min="0" max="10" defaultValue="3" onChange={(e) => record('state', 'volume', e.target.value)} />
    <input type="date" aria-label="Day" onChange={(e) => record('state', 'day', e.target.value)} />
  </fieldset>;
}

function App() {
  const [count, add] = useState(0);
  return <main>
    <h1>React</h1>
    <Field id="name" label="Name" />
    <Field id="caps" label="Capitals" change={(it) => it.toUpperCase()} />
    <Field id="digits" label="Digits" change={(it, was) => (/^\d*$/.test(it) ? it : was)} />
    <Field id="mail" label="Mail" type="email" />
    <Field id="amount" label="Amount" type="number" />
    <Area />
    <Choices />
    <label id="city-label">City</label>
    <Select aria-labelledby="city-label" options={cities} onChange={(it) => record('state', 'city', it && it.value)} />
    <label id="cities-label">Cities</label>
    <Select aria-labelledby="cities-label" isMulti options={cities} onChange={(all) => record('state', 'cities', all.map((it) => it.value).join())} />
    <label id="tag-label">Tags</label>
    <CreatableSelect aria-labelledby="tag-label" isMulti options={cities} onChange={(all) => record('state', 'tags', all.map((it) => it.value).join())} />
    <button onClick={() => (add(count + 1), record('state', 'count', count + 1))}>Add to {count}</button>
  </main>;
}

createRoot(document.getElementById('root')).render(<App />);
