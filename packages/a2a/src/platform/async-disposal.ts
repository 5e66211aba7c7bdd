/** `await using` in types, without requiring a lib that a program may not have. */

/**
 * Equal to `AsyncDisposable` if the program has it (`lib: ESNext.Disposable`, or the types of Node), otherwise empty: the published types
 * must also compile for a page that has ES2022 and the DOM only.
 */
export type AsyncDisposal = SymbolConstructor extends { readonly asyncDispose: infer S extends symbol }
  ? { readonly [K in S]: () => Promise<void> }
  : object;
