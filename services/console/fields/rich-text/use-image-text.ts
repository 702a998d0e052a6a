import { useCallback } from 'react';
import { useText } from '../../language/language.tsx';
import type { ImageText } from './clean-html.ts';

/** Returns a function that names images of other servers: "Image: Logo (example.com)". */
export function useImageText(): ImageText {
  const t = useText();
  return useCallback(
    ({ host }, alternative) =>
      alternative === ''
        ? t('richText.image', { host })
        : t('richText.namedImage', { name: alternative, host }),
    [t],
  );
}
