import { Code, Progress, Stack, Text } from '@mantine/core';
import type { Status } from '../../api/system.ts';
import { useText } from '../../language/language.tsx';
import { Copy } from '../../parts/copy/copy.tsx';
import { Panel } from '../../parts/page/panel.tsx';

const command = 'npm run annals -- rebuild';

/** The progress of a rebuild, which fills new tables from the log while the current ones remain in use. */
export function RebuildPanel({ rebuild }: { readonly rebuild: Status['rebuild'] }) {
  const t = useText();
  if (rebuild === null) {
    return (
      <Text size="sm" c="dimmed">
        {t('log.noRebuild')}
      </Text>
    );
  }
  const { isRunning, taken, entries } = rebuild;
  const percent = entries === 0 ? 100 : Math.floor((taken / entries) * 100);
  const text = t('log.rebuildProgress', { percent, taken, count: entries });
  return (
    <Panel title={t(isRunning ? 'log.rebuildRunning' : 'log.rebuildEnded')}>
      <Stack gap="xs">
        <Progress value={percent} animated={isRunning} aria-label={text} />
        <Text size="sm" role="status">
          {text} {taken === entries && isRunning ? t('log.rebuildIndexes') : null}
        </Text>
        {isRunning ? null : (
          <Text size="sm" component="div">
            {t('log.rebuildResume')} <Code>{command}</Code>{' '}
            <Copy value={command} size="compact-xs" />
          </Text>
        )}
      </Stack>
    </Panel>
  );
}
