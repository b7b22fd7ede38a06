export * from "./operations.js";
export { CelestialError, type Options } from "./transport.js";
