/** Express 4 under a name of its own; the few calls that the tests make are the same in both majors. */
declare module 'express4' {
  export { default } from 'express';
}
