import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { constants, gzipSync } from "node:zlib";
import { defineConfig, type Plugin } from "vite";

const BUILT = "../src/celestial_engine/surfaces/dashboard/static";

/** Compressed once when it is built: the server hands out the smaller file to whoever can read it. */
const compressed = (): Plugin => ({
  name: "compressed",
  apply: "build",
  closeBundle() {
    const folder = join(import.meta.dirname, BUILT, "assets");
    for (const name of readdirSync(folder).filter((each) => /\.(js|css|svg)$/.test(each))) {
      const plain = readFileSync(join(folder, name));
      const packed = gzipSync(plain, { level: constants.Z_BEST_COMPRESSION });
      if (packed.length < plain.length) writeFileSync(join(folder, `${name}.gz`), packed);
    }
  },
});

/** Where `celestial serve` listens while the page is worked on. */
const server = process.env.CELESTIAL_SERVER ?? "http://127.0.0.1:8484";
const proxied = Object.fromEntries(["/v1", "/dashboard", "/login"].map((path) => [path, { target: server, changeOrigin: true }]));

export default defineConfig({
  base: "./",
  plugins: [compressed()],
  build: {
    outDir: BUILT,
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
