// <quantity-stepper>: a number between 1 and `max`, in an open shadow root. Fires `change`.
class QuantityStepper extends HTMLElement {
  #value = 1;
  max = 99;

  constructor() {
    super();
    this.attachShadow({ mode: 'open' }).innerHTML = `
      <style>
        div { display: inline-flex; align-items: center; border: 1px solid #ddd6c6; border-radius: .4rem; overflow: hidden; }
        button { font: inherit; width: 2.2rem; border: 0; padding: .35rem; background: #eef5f0; cursor: pointer; }
        output { min-width: 2.5rem; text-align: center; }
      </style>
      <div role="group" aria-label="Quantity">
        <button id="less" aria-label="One less">−</button>
        <output>1</output>
        <button id="more" aria-label="One more">+</button>
      </div>`;
    this.shadowRoot.getElementById('less').addEventListener('click', () => this.#step(-1));
    this.shadowRoot.getElementById('more').addEventListener('click', () => this.#step(1));
  }

  get value() {
    return this.#value;
  }

  set value(value) {
    this.#value = Math.min(this.max, Math.max(1, value));
    this.shadowRoot.querySelector('output').textContent = String(this.#value);
  }

  #step(by) {
    this.value = this.#value + by;
    this.dispatchEvent(new Event('change'));
  }
}

customElements.define('quantity-stepper', QuantityStepper);
