// The SDK prints each error that it sends to its caller. `quiet` hides that output until the returned function is called.

export function quiet() {
  const { error, warn } = console;
  console.error = () => {};
  console.warn = () => {};
  return () => void Object.assign(console, { error, warn });
}
