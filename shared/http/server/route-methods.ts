/** The methods for which a path has routes, to distinguish a wrong method from a wrong path. */
export class RouteMethods {
  readonly #methodsByPattern = new Map<string, Set<string>>();

  add(method: string | readonly string[], url: string): void {
    const methods = this.#methodsByPattern.get(url) ?? new Set(['OPTIONS']);
    this.#methodsByPattern.set(url, methods);
    for (const one of [method].flat()) methods.add(one);
  }

  /**
   * Returns the methods in alphabetic order, including OPTIONS, which every known path supports; empty for an unknown
   * path.
   */
  at(path: string, isIncluded: (pattern: string) => boolean = () => true): readonly string[] {
    const segments = path.split('/');
    const found = [...this.#methodsByPattern]
      .filter(([pattern]) => isIncluded(pattern) && matches(pattern.split('/'), segments))
      .flatMap(([, methods]) => [...methods]);
    return [...new Set(found)].toSorted();
  }

  /**
   * Returns the methods of patterns that are more specific than the one that matched a request, because they have text
   * in place of a variable: `/Lead/action/convert` for `/:entity/:id/:link`. `/LeadCapture/:id` names the same record
   * as `/:entity/:id`, so text in place of the type counts only for a name that is not a type. Empty if no such pattern
   * exists.
   */
  moreSpecific(pattern: string, path: string, isType: boolean): readonly string[] {
    const matched = pattern.split('/');
    const first = isType ? TYPE_AT + 1 : TYPE_AT;
    const hasMoreText = (one: string) =>
      one
        .split('/')
        .some((part, at) => at >= first && !isVariable(part) && isVariable(matched[at]));
    return this.at(path, hasMoreText);
  }
}

/** The position of the type in `/api/v1/:entity`. */
const TYPE_AT = 3;

function isVariable(part = ''): boolean {
  return part === '*' || part.startsWith(':');
}

/** Matches the patterns of the router that this project uses: plain text, `:name`, and `*` at the end. */
export function matches(pattern: readonly string[], segments: readonly string[]): boolean {
  const isOpen = pattern.at(-1) === '*';
  if (isOpen ? segments.length < pattern.length : segments.length !== pattern.length) return false;
  return pattern.every((part, index) => isVariable(part) || part === segments[index]);
}
