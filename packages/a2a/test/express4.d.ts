/** Express 4 under its own module name. The few calls that the tests make are the same in both major versions. */
declare module 'express4' {
  export { default } from 'express';
}
