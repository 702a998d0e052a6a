/** The methods that a path has routes for, to tell a wrong method from a wrong path. */
export interface RouteMethods {
  add(method: string | readonly string[], url: string): void;
  /** In alphabetic order, with OPTIONS, which every known path supports; empty for an unknown path. */
  at(path: string): readonly string[];
  /**
   * The same of patterns that spell out more of the path than the one that took a request: `/Lead/action/convert` more
   * than `/:entity/:id/:link`. Empty where there is none.
   */
  besides(pattern: string, path: string): readonly string[];
}

export function createRouteMethods(): RouteMethods {
  const methodsByPattern = new Map<string, Set<string>>();
  const methodsOf = (isMeant: (pattern: string) => boolean, path: string): readonly string[] => {
    const segments = path.split('/');
    const found = [...methodsByPattern]
      .filter(([pattern]) => isMeant(pattern) && matches(pattern.split('/'), segments))
      .flatMap(([, methods]) => [...methods]);
    return [...new Set(found)].toSorted();
  };

  return {
    add(method, url) {
      const methods = methodsByPattern.get(url) ?? new Set(['OPTIONS']);
      methodsByPattern.set(url, methods);
      for (const one of [method].flat()) methods.add(one);
    },
    at: (path) => methodsOf(() => true, path),
    besides: (pattern, path) => methodsOf((one) => variablesIn(one) < variablesIn(pattern), path),
  };
}

function variablesIn(pattern: string): number {
  return pattern.split('/').filter((part) => part === '*' || part.startsWith(':')).length;
}

/** Matches the patterns of the router that this project uses: plain text, `:name`, and `*` at the end. */
export function matches(pattern: readonly string[], segments: readonly string[]): boolean {
  const isOpen = pattern.at(-1) === '*';
  if (isOpen ? segments.length < pattern.length : segments.length !== pattern.length) return false;
  return pattern.every(
    (part, index) => part === '*' || part.startsWith(':') || part === segments[index],
  );
}
