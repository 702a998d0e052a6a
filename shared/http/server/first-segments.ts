import { capitalized } from '../../domain/field/attribute.ts';
import { singularsOf } from './entity-segment.ts';
import { matches } from './route-methods.ts';

/**
 * The spellings of the first segment below /api/v1 in routes where it is not a variable: `Lead` in Lead/action/convert.
 */
export class FirstSegments {
  readonly #patternsByName = new Map<string, Set<string>>();

  add(url: string): void {
    const [, name] = /^\/api\/v1\/([^/:*]+)/.exec(url) ?? [];
    if (name === undefined) return;
    this.#patternsByName.set(name, (this.#patternsByName.get(name) ?? new Set()).add(url));
  }

  /**
   * Returns the URL with its first segment spelled as in the routes, if that segment begins with a lower-case letter. A
   * plural counts only if a route with that segment has exactly this path: on other paths it may name another entity
   * type.
   */
  spell(url: string): string {
    const [, segment, rest = ''] = /^\/api\/v1\/([a-z][^/?]*)([^?]*)/.exec(url) ?? [];
    const name = segment === undefined ? undefined : this.#nameOf(segment, rest);
    if (segment === undefined || name === undefined) return url;
    return root + name + url.slice(root.length + segment.length);
  }

  #nameOf(segment: string, rest: string): string | undefined {
    const name = capitalized(segment);
    if (name === segment) return undefined;
    if (this.#patternsByName.has(name)) return name;
    if (rest === '') return undefined;
    return singularsOf(name).find((singular) =>
      [...(this.#patternsByName.get(singular) ?? [])].some((pattern) =>
        matches(pattern.split('/'), `${root}${singular}${rest}`.split('/')),
      ),
    );
  }
}

const root = '/api/v1/';
