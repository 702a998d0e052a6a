import { NativeSelect } from '@mantine/core';
import { type Language, languages, useLanguage } from '../../language/language.tsx';

/** Each language is named in itself so that its speakers recognize it. */
export function LanguageMenu() {
  const { language, choose, t } = useLanguage();
  return (
    <NativeSelect
      size="xs"
      aria-label={t('shell.language')}
      value={language}
      onChange={({ currentTarget }) => choose(currentTarget.value as Language)}
      data={Object.entries(languages).map(([value, label]) => ({ value, label }))}
    />
  );
}
