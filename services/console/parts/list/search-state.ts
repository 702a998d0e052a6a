import { notifications } from '@mantine/notifications';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo } from 'react';
import { useText } from '../../language/language.tsx';

type RawSearch = Readonly<Record<string, unknown>>;

/** The valid parts of a URL, and the names of its invalid parts. */
interface ReadSearch<State> {
  readonly state: State;
  readonly problems: readonly string[];
}

/** Parses one part. Returns undefined if it is invalid. */
type ReadPart<Value> = (raw: unknown) => Value | undefined;

/** The parser of each part of a page's state. Absent parts are undefined. */
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
 * Keeps the state of a page in its URL, so that links and the Back button restore it. Invalid parts of the URL are
 * removed and reported to the user.
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
      message: t('errors.badAddress', { parts: wrong }),
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

/** Also accepts numbers and booleans, because the router converts texts that look like them. */
export function readText(raw: unknown): string | undefined {
  return typeof raw === 'object' ? undefined : String(raw);
}

/** Accepts integers from 0, such as a page number. */
export function readCount(raw: unknown): number | undefined {
  return Number.isInteger(raw) && Number(raw) >= 0 ? Number(raw) : undefined;
}
