/** `await using` in types, without asking programs for a library that they do not have. */

/**
 * What `AsyncDisposable` is where the program has it (`lib: ESNext.Disposable`, or the types of Node). Elsewhere it is empty: the published
 * types must also compile for a page that has ES2022 and the DOM only.
 */
export type AsyncDisposal = SymbolConstructor extends { readonly asyncDispose: infer S extends symbol }
  ? { readonly [K in S]: () => Promise<void> }
  : object;
