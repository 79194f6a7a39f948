// How Mozilla's web-ext runs and checks what `cargo xtask dist` put together: `npx web-ext run`, `npx web-ext lint`.
export default {
  sourceDir: "dist",
  artifactsDir: "target/web-ext",
  ignoreFiles: [],
  run: {
    target: ["chromium"],
    startUrl: ["about:blank"],
  },
  build: {
    overwriteDest: true,
  },
  lint: {
    output: "json",
    pretty: false,
    selfHosted: true,
  },
};
