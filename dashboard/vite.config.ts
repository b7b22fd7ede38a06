import { defineConfig } from "vite";

/** Where `celestial serve` listens while the page is worked on. */
const server = process.env.CELESTIAL_SERVER ?? "http://127.0.0.1:8484";
const proxied = Object.fromEntries(
  ["/v1", "/dashboard", "/login"].map((path) => [path, { target: server, changeOrigin: true }]),
);

export default defineConfig({
  base: "./",
  build: {
    outDir: "../src/celestial_engine/surfaces/dashboard/static",
    emptyOutDir: true,
    assetsInlineLimit: 0, // the page's policy admits files of its own only
    modulePreload: { polyfill: false },
    target: ["chrome123", "firefox121", "safari17.5"],
    reportCompressedSize: false,
    chunkSizeWarningLimit: 800,
    rolldownOptions: {
      output: {
        codeSplitting: { groups: [{ name: "echarts", test: /node_modules[\\/](echarts|zrender|tslib)[\\/]/ }] },
      },
    },
  },
  server: { proxy: proxied },
});
