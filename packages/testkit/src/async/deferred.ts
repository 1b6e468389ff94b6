export interface Deferred<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T | PromiseLike<T>) => void;
}

/** A promise that the test resolves. */
export function deferred<T>(): Deferred<T> {
  const resolvers: ((value: T | PromiseLike<T>) => void)[] = [];
  const promise = new Promise<T>((resolve) => resolvers.push(resolve));
  return { promise, resolve: (value) => resolvers.forEach((resolve) => resolve(value)) };
}
