import { singularsOf } from './entity-segment.ts';
import { matches } from './route-methods.ts';

/** How routes spell the first segment below /api/v1, if they name it themselves: `Lead` of Lead/action/convert. */
export interface FirstSegments {
  add(url: string): void;
  /**
   * The URL with its first segment spelled as in the routes, if it begins with a small letter. A plural counts only if
   * a route with that segment has this very path: on other paths it may name another entity type.
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
