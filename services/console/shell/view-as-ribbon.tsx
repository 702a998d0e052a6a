import { Button, Group, Text } from '@mantine/core';
import { forgetView } from '../api/view-as.ts';
import { useText } from '../language/language.tsx';

export const RIBBON_HEIGHT = 40;

/** Reminds an administrator that the console shows another user's view. */
export function ViewAsRibbon({ userName }: { readonly userName: string }) {
  const t = useText();
  const end = (): void => {
    forgetView();
    location.assign('/people');
  };
  return (
    <Group
      role="status"
      className="view-as-ribbon"
      h={RIBBON_HEIGHT}
      px="md"
      justify="space-between"
      wrap="nowrap"
    >
      <Text size="sm" fw={500} truncate>
        {t('viewAs.ribbon', { name: userName })}
      </Text>
      <Button size="compact-sm" variant="default" onClick={end} flex="none">
        {t('viewAs.end')}
      </Button>
    </Group>
  );
}
