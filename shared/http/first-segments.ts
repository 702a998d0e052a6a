import { singularsOf } from './entity-segment.ts';
import { matches } from './route-methods.ts';

/** How routes spell the first part of a path under /api/v1 that they name themselves: `Lead` of Lead/action/convert. */
export interface FirstSegments {
  add(url: string): void;
  /**
   * The URL with that part as routes spell it, where it begins with a small letter. Its plural counts only where a
   * route that names it has this very path: elsewhere it may name another entity type.
   */
  spell(url: string): string;
}

const root = '/api/v1/';

export function createFirstSegments(): FirstSegments {
  const patternsByName = new Map<string, Set<string>>();

  function nameOf(segment: string, rest: string): string | undefined {
    const name = segment.charAt(0).toUpperCase() + segment.slice(1);
    if (name === segment) return undefined;
    if (patternsByName.has(name)) return name;
    if (rest === '') return undefined;
    return singularsOf(name).find((singular) =>
      [...(patternsByName.get(singular) ?? [])].some((pattern) =>
        matches(pattern.split('/'), `${root}${singular}${rest}`.split('/')),
      ),
    );
  }

  return {
    add(url) {
      const [, name] = /^\/api\/v1\/([^/:*]+)/.exec(url) ?? [];
      if (name === undefined) return;
      patternsByName.set(name, (patternsByName.get(name) ?? new Set()).add(url));
    },
    spell(url) {
      const [, segment, rest = ''] = /^\/api\/v1\/([a-z][^/?]*)([^?]*)/.exec(url) ?? [];
      const name = segment === undefined ? undefined : nameOf(segment, rest);
      if (segment === undefined || name === undefined) return url;
      return root + name + url.slice(root.length + segment.length);
    },
  };
}
