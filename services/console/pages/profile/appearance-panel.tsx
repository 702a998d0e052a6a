import { NativeSelect, SimpleGrid, Stack } from '@mantine/core';
import { type Language, languages } from '../../language/language.tsx';
import { usePageText } from '../../language/page-text.ts';
import { type ColorScheme, colorSchemes, useAppearance } from '../../parts/appearance.ts';
import { Hint } from '../../parts/hint.tsx';
import { Panel } from '../../parts/page/panel.tsx';

/** Settings for the language and colours of the console, on all of the user's devices. */
export function AppearancePanel() {
  const t = usePageText();
  const { language, chooseLanguage, colorScheme, chooseColorScheme } = useAppearance();
  return (
    <Panel title={t('profile.appearance')}>
      <Stack>
        <Hint>{t('profile.appearanceText')}</Hint>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <NativeSelect
            label={t('account.language')}
            value={language}
            onChange={({ currentTarget }) => chooseLanguage(currentTarget.value as Language)}
            data={Object.entries(languages).map(([value, label]) => ({ value, label }))}
          />
          <NativeSelect
            label={t('account.theme')}
            value={colorScheme}
            onChange={({ currentTarget }) => chooseColorScheme(currentTarget.value as ColorScheme)}
            data={Object.entries(colorSchemes).map(([value, label]) => ({
              value,
              label: t(label),
            }))}
          />
        </SimpleGrid>
      </Stack>
    </Panel>
  );
}
