import { useMantineColorScheme } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { createElement, useEffect } from 'react';
import { usePreference } from '../api/preferences.ts';
import { viewedUserName } from '../api/view-as.ts';
import { type Language, useLanguage } from '../language/language.tsx';
import { ErrorDetails } from './page/load-error.tsx';

export const colorSchemes = {
  auto: 'account.themeAuto',
  light: 'account.themeLight',
  dark: 'account.themeDark',
} as const;
export type ColorScheme = keyof typeof colorSchemes;

/** The names under which API clients store languages in the preferences. */
const languageNames = { en: 'en_US', de: 'de_DE' } as const;

/** Returns the language and colours of the console, and functions that change them on all of the user's devices. */
export function useAppearance() {
  const { language } = useLanguage();
  const { colorScheme } = useMantineColorScheme();
  const [, storeLanguage] = usePreference('language', showError);
  const [, storeTheme] = usePreference('theme', showError);
  return {
    language,
    colorScheme,
    chooseLanguage: (chosen: Language) => storeLanguage(languageNames[chosen]),
    chooseColorScheme: (chosen: ColorScheme) => storeTheme(chosen),
  };
}

/** Returns whether the navigation shows only icons on wide screens, and a function that changes it. */
export function useNarrowNavigation(): readonly [boolean, () => void] {
  const [stored, store] = usePreference('annals-navigation', showError);
  const isNarrow = stored === 'narrow';
  return [isNarrow, () => store(isNarrow ? null : 'narrow')];
}

/** Returns whether a group of the navigation was left open, and a function that stores it. */
export function useOpenGroup(group: string): readonly [boolean, (isOpen: boolean) => void] {
  // Failing to store it is not worth a message.
  const [stored, store] = usePreference(`annals-navigation-${group}`, () => {});
  return [stored === 'open', (isOpen) => store(isOpen ? 'open' : null)];
}

/**
 * Applies the language and the colours in the user's preferences. Without preferences, the device's language and
 * colours remain.
 */
export function useStoredAppearance(): void {
  const { choose } = useLanguage();
  const { setColorScheme } = useMantineColorScheme();
  const [storedLanguage] = usePreference('language', showError);
  const [storedTheme] = usePreference('theme', showError);
  const language = String(storedLanguage ?? '').slice(0, 2);
  // A user's preferences do not change the console of an administrator who views it as that user.
  const isOwn = viewedUserName() === null;
  useEffect(() => {
    if (isOwn && language in languageNames) choose(language as Language);
  }, [isOwn, language, choose]);
  useEffect(() => {
    if (isOwn && isColorScheme(storedTheme)) setColorScheme(storedTheme);
  }, [isOwn, storedTheme, setColorScheme]);
}

/** False for theme names that other clients store. */
function isColorScheme(theme: unknown): theme is ColorScheme {
  return typeof theme === 'string' && Object.hasOwn(colorSchemes, theme);
}

function showError(error: unknown): void {
  notifications.show({ color: 'red', message: createElement(ErrorDetails, { error }) });
}
