/** Shares what `make` makes for a second, however often it is asked for. */
export function cacheForASecond<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  let since = 0;
  return () => {
    if (made && performance.now() - since < 1000) return made;
    since = performance.now();
    made = make();
    return made;
  };
}
