import { Button, Group, Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type Finding, findingsQuery } from '../../api/system.ts';
import { usePageText } from '../../language/page-text.ts';
import { Copy } from '../../parts/copy/copy.tsx';
import { Hint } from '../../parts/hint.tsx';
import { LoadError } from '../../parts/page/load-error.tsx';
import { Panel } from '../../parts/page/panel.tsx';
import { Time } from '../../parts/time.tsx';
import { AcknowledgementOf } from './findings/acknowledgement.tsx';
import { LinkOfFinding } from './findings/finding-link.tsx';
import { useFindingTexts } from './findings/finding-texts.ts';
import { partName } from './findings/part-name.ts';
import { RemedyButton } from './findings/remedy-button.tsx';

/** The findings of doctor with their remedies, most severe first. */
export function FindingsPanel() {
  const t = usePageText();
  const { data, error, isFetching, dataUpdatedAt, refetch } = useQuery(findingsQuery);
  return (
    <Panel
      title={t('system.findings')}
      actions={
        <Button
          variant="default"
          size="xs"
          // `disabled` would remove the focus.
          aria-disabled={isFetching}
          data-disabled={isFetching}
          onClick={() => {
            if (!isFetching) void refetch();
          }}
        >
          {t(isFetching ? 'system.checking' : 'system.checkAgain')}
        </Button>
      }
    >
      <Stack>
        {error === null ? null : <LoadError error={error} />}
        {data === undefined ? (
          error === null ? (
            <Checking />
          ) : null
        ) : (
          <>
            <Text role="status">
              {t('system.faults', { count: data.faults })}{' '}
              {t('system.warnings', { count: data.warnings })}
            </Text>
            <Hint>
              {t('system.checkedAt')} <Time value={new Date(dataUpdatedAt).toISOString()} />
            </Hint>
            <Groups findings={data.findings} />
          </>
        )}
      </Stack>
    </Panel>
  );
}

function Checking() {
  const t = usePageText();
  return (
    <>
      <Text size="sm">{t('system.takesSeconds')}</Text>
      <Skeleton h={120} />
    </>
  );
}

const groups = {
  fault: ['shell.verdictFault', 'var(--mantine-color-red-7)'],
  warning: ['shell.verdictWarning', 'var(--mantine-color-yellow-6)'],
  acknowledged: ['system.verdictAcknowledged', 'var(--mantine-color-gray-6)'],
  ok: ['system.verdictOk', 'var(--mantine-color-green-7)'],
} as const;

type GroupName = keyof typeof groups;

function groupOf({ verdict, acknowledged }: Finding): GroupName {
  return acknowledged === undefined ? verdict : 'acknowledged';
}

/** Problems are shown, other findings can be opened. */
function Groups({ findings }: { readonly findings: readonly Finding[] }) {
  const t = usePageText();
  const byGroup = Map.groupBy(findings, groupOf);
  const having = (group: GroupName) => {
    const found = byGroup.get(group) ?? [];
    return found.length === 0 ? [] : [{ group, found }];
  };
  return (
    <>
      {[...having('fault'), ...having('warning')].map(({ group, found }) => (
        <div key={group}>
          <Title order={3} size="h6">
            {t(groups[group][0], { count: found.length })}
          </Title>
          <FindingList findings={found} />
        </div>
      ))}
      {[...having('acknowledged'), ...having('ok')].map(({ group, found }) => (
        <details key={group}>
          <summary>
            <Text span fw={600} size="sm">
              {t(groups[group][0], { count: found.length })}
            </Text>
          </summary>
          <FindingList findings={found} />
        </details>
      ))}
    </>
  );
}

function FindingList({ findings }: { readonly findings: readonly Finding[] }) {
  const textsOf = useFindingTexts();
  return (
    <Stack gap="xs" mt="xs" component="ul" p={0} m={0}>
      {findings.map((finding) => (
        <FindingPaper
          key={`${finding.about} ${finding.says}`}
          finding={finding}
          texts={textsOf(finding)}
        />
      ))}
    </Stack>
  );
}

function FindingPaper(props: {
  readonly finding: Finding;
  readonly texts: ReturnType<ReturnType<typeof useFindingTexts>>;
}) {
  const t = usePageText();
  const { links = [], remedies = [], follows } = props.finding;
  const { says, remedy, language } = props.texts;
  const others = remedies.filter(({ id }) => !links.some((link) => link.id === id));
  return (
    <Paper
      component="li"
      withBorder
      p="xs"
      style={{
        listStyle: 'none',
        borderInlineStart: `4px solid ${groups[groupOf(props.finding)][1]}`,
      }}
    >
      <Text size="sm" className="field-value">
        <span lang={language.says}>{says}</span>
      </Text>
      {follows === undefined ? null : (
        <Text size="sm">{t('system.follows', { part: partName(follows, t) })}</Text>
      )}
      {links.length === 0 ? null : (
        <Stack gap="sm" my="xs">
          {links.map((link) => (
            <Group key={JSON.stringify(link)} gap="sm" style={{ rowGap: 4 }}>
              <Text size="sm" className="field-value">
                <LinkOfFinding link={link} />
              </Text>
              {remedies
                .filter(({ id }) => id !== undefined && id === link.id)
                .map((one) => (
                  <RemedyButton key={one.action} remedy={one} isNextToName />
                ))}
            </Group>
          ))}
        </Stack>
      )}
      {remedy === undefined ? null : <Remedy text={remedy} language={language.remedy} />}
      {others.length === 0 ? null : (
        <Group gap="xs" mt={4}>
          {others.map((one) => (
            <RemedyButton key={`${one.action} ${one.id}`} remedy={one} />
          ))}
        </Group>
      )}
      <AcknowledgementOf finding={props.finding} says={says} />
    </Paper>
  );
}

/** A command, or the value of a setting. */
const command = /\b(?:annals|docker|npm|alter|create|grant) [a-z]|\w=\w/;

function Remedy({ text, language }: { readonly text: string; readonly language: string }) {
  const t = usePageText();
  return (
    <Group justify="space-between" align="flex-start" mt={4} gap="xs">
      <Text size="sm" className="field-value" flex="1 1 12rem">
        {t('system.remedy')} <span lang={language}>{text}</span>
      </Text>
      {command.test(text) ? <Copy size="compact-xs" value={text} label={text} /> : null}
    </Group>
  );
}
