import { useBlocker } from '@tanstack/react-router';
import { useText } from '../language/language.tsx';

/** Requires confirmation before the user leaves with unsaved input. */
export function UnsavedGuard({ isUnsaved }: { readonly isUnsaved: boolean }) {
  const t = useText();
  useBlocker({
    shouldBlockFn: ({ current, next }) =>
      isUnsaved && current.pathname !== next.pathname && !window.confirm(t('forms.unsaved')),
    enableBeforeUnload: isUnsaved,
  });
  return null;
}
