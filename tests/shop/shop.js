// The shop's front: a filter form, a list that re-sorts by itself, a basket. It knows nothing of who visits.
import './stepper.js';

const $ = (id) => document.getElementById(id);
const euros = (cents) => `€${(cents / 100).toFixed(2)}`;

/** What is shown, by product id; rows are kept and moved, as keyed frameworks do. */
const rows = new Map();
let shown = [];
let chosen = null;
let slot = '';
let token = '';

// --- The list ---------------------------------------------------------------------------------------------------

async function filter() {
  const answer = await fetch(`api/products?${new URLSearchParams(new FormData($('filter')))}`);
  shown = await answer.json();
  for (const row of rows.values()) row.remove();
  sort();
  $('count').textContent = `${shown.length} of 9 products`;
}

function sort() {
  const by = $('sort').value;
  if (by === 'cheap') shown.sort((a, b) => a.cents - b.cents);
  if (by === 'dear') shown.sort((a, b) => b.cents - a.cents);
  $('rows').append(...shown.map(row));
}

function row(product) {
  const known = rows.get(product.id);
  if (known) return known;
  const made = document.createElement('tr');
  for (const text of [product.name, product.kind, euros(product.cents), product.stock || 'sold out']) {
    made.insertCell().textContent = text;
  }
  const add = document.createElement('button');
  add.textContent = 'Add';
  add.disabled = product.stock === 0;
  add.addEventListener('click', () => choose(product));
  made.insertCell().append(add);
  rows.set(product.id, made);
  return made;
}

$('filter').addEventListener('submit', (event) => { event.preventDefault(); filter(); });
$('sort').addEventListener('change', sort);
// Sales go on: what sells now changes every few seconds, whoever is about to press a button.
setInterval(() => {
  if ($('sort').value !== 'popular' || shown.length < 2) return;
  shown.push(shown.shift());
  sort();
}, 3000);

// --- The basket -------------------------------------------------------------------------------------------------

function choose(product) {
  chosen = product;
  $('chosen-name').textContent = product.name;
  $('quantity').value = 1;
  $('quantity').max = product.stock;
  $('chosen').hidden = false;
  $('empty').hidden = true;
  total();
}

function total() {
  $('total').textContent = euros(chosen ? chosen.cents * $('quantity').value : 0);
  $('order').disabled = !(chosen && slot && token);
}

$('quantity').addEventListener('change', total);

const SLOTS = ['Today 17:00–19:00', 'Tomorrow 08:00–10:00', 'Tomorrow 10:00–12:00', 'Tomorrow 17:00–19:00'];
const FULL = 'Tomorrow 08:00–10:00';
let options = null;

function close() {
  options?.remove();
  options = null;
  $('slot').setAttribute('aria-expanded', 'false');
}

function open() {
  options = document.createElement('ul');
  options.className = 'options';
  options.setAttribute('role', 'listbox');
  options.setAttribute('aria-label', 'Delivery slots');
  for (const name of SLOTS) {
    const option = document.createElement('li');
    option.setAttribute('role', 'option');
    option.textContent = name;
    if (name === FULL) option.setAttribute('aria-disabled', 'true');
    else option.addEventListener('click', () => { pick(name); });
    options.append(option);
  }
  const box = $('slot').getBoundingClientRect();
  options.style.left = `${box.left + scrollX}px`;
  options.style.top = `${box.bottom + scrollY + 4}px`;
  options.style.width = `${box.width}px`;
  document.body.append(options);
  $('slot').setAttribute('aria-expanded', 'true');
}

function pick(name) {
  slot = name;
  $('slot').firstElementChild.textContent = name;
  close();
  total();
}

$('slot').addEventListener('click', () => (options ? close() : open()));
$('slot').addEventListener('keydown', (event) => {
  if (event.key === 'Enter' || event.key === ' ') open();
  if (event.key === 'Escape') close();
});

// --- Payment and order ------------------------------------------------------------------------------------------

const cardForm = document.querySelector('iframe');
addEventListener('message', (event) => {
  if (event.source !== cardForm.contentWindow || !event.data?.token) return;
  token = event.data.token;
  total();
});

$('order').addEventListener('click', async () => {
  const quantity = $('quantity').value;
  if (!confirm(`Order ${quantity} × ${chosen.name} for ${$('total').textContent}?`)) {
    $('outcome').textContent = 'Not ordered.';
    return;
  }
  const answer = await fetch('api/order', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ product: chosen.id, quantity, slot, token }),
  });
  $('outcome').textContent = answer.ok ? `Thank you! ${chosen.name} arrives ${slot}.` : await answer.text();
});

filter();
