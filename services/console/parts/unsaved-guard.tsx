import { useBlocker } from '@tanstack/react-router';
import { useText } from '../language/language.tsx';

/** Asks before what was typed is lost. */
export function UnsavedGuard({ isUnsaved }: { readonly isUnsaved: boolean }) {
  const t = useText();
  useBlocker({
    shouldBlockFn: ({ current, next }) =>
      isUnsaved && current.pathname !== next.pathname && !window.confirm(t('record.unsaved')),
    enableBeforeUnload: isUnsaved,
  });
  return null;
}
