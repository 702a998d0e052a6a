import { notifications } from '@mantine/notifications';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo } from 'react';
import { useText } from '../../language/language.tsx';

type RawSearch = Readonly<Record<string, unknown>>;

/** What of an address was understood, and the names of the parts that were not. */
interface ReadSearch<State> {
  readonly state: State;
  readonly problems: readonly string[];
}

/** Reads one part; undefined means that it makes no sense. */
type ReadPart<Value> = (raw: unknown) => Value | undefined;

/** The reader of each part of a page's state. Absent parts are undefined. */
type Readers<State> = { readonly [Name in keyof State]-?: ReadPart<State[Name]> };

function readSearch<State extends object>(
  raw: RawSearch,
  readers: Readers<State>,
): ReadSearch<Partial<State>> {
  const state: Partial<State> = {};
  const problems: string[] = [];
  for (const [name, value] of Object.entries(raw)) {
    const read = Object.hasOwn(readers, name) ? readers[name as keyof State] : undefined;
    const known = value === undefined ? undefined : read?.(value);
    if (known === undefined) problems.push(name);
    else state[name as keyof State] = known;
  }
  return { state, problems };
}

/**
 * The state of a page, which lives in its address: a link shows the same thing, and Back works. What the address has
 * wrong is left out, and said.
 */
export function useSearchState<State extends object>(
  readers: Readers<State>,
): readonly [
  Partial<State>,
  (change: Partial<State>, options?: { readonly replace?: boolean }) => void,
] {
  const t = useText();
  const raw: RawSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const { state, problems } = useMemo(() => readSearch(raw, readers), [raw, readers]);
  const go = useCallback(
    (search: RawSearch, replace: boolean) =>
      void navigate({ to: '.', search: () => search, replace, resetScroll: false }),
    [navigate],
  );
  const wrong = problems.join(', ');
  useEffect(() => {
    if (wrong === '') return;
    notifications.show({
      id: `address-${wrong}`,
      color: 'yellow',
      message: t('shell.badAddress', { parts: wrong }),
    });
    go(without(state), true);
  }, [wrong, go, state, t]);
  const change = useCallback(
    (parts: Partial<State>, { replace = false } = {}) =>
      go(without({ ...state, ...parts }), replace),
    [go, state],
  );
  return [state, change];
}

function without(search: object): RawSearch {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined));
}

/** Numbers and the like, too: the router makes them of texts that look like it. */
export function readText(raw: unknown): string | undefined {
  return typeof raw === 'object' ? undefined : String(raw);
}
