import { Box, Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { isAdministrator } from '../api/rights.ts';
import { useUser } from '../api/session.ts';
import { healthQuery } from '../api/system.ts';
import { useFormat } from '../language/format.ts';
import { useText } from '../language/language.tsx';
import { partName } from '../pages/system/findings/part-name.ts';

/** The health of the installation, with a link to the findings. Shown to administrators. */
export function HealthSign() {
  return isAdministrator(useUser()) ? <Sign /> : null;
}

const colors = {
  ok: 'var(--mantine-color-green-7)',
  warning: 'var(--mantine-color-yellow-6)',
  fault: 'var(--mantine-color-red-7)',
  unknown: 'var(--mantine-color-gray-6)',
} as const;

function Sign() {
  const t = useText();
  const { data, error } = useQuery(healthQuery);
  if (data === undefined && error === null) return null;
  const { faults = 0, warnings = 0, findings = [] } = (error === null ? data : undefined) ?? {};
  const level =
    error === null ? (faults > 0 ? 'fault' : warnings > 0 ? 'warning' : 'ok') : 'unknown';
  const counts = { ok: 0, warning: warnings, fault: faults, unknown: 0 };
  const texts = {
    ok: t('shell.healthy'),
    warning: t('shell.verdictWarning', { count: warnings }),
    fault: t('shell.verdictFault', { count: faults }),
    unknown: t('shell.healthUnknown'),
  };
  const parts = findings.filter(
    ({ verdict, acknowledged }) =>
      verdict === level && level !== 'ok' && acknowledged === undefined,
  );
  const about = [...new Set(parts.map((part) => partName(part.about, t)))].join(', ');
  const text = about === '' ? texts[level] : `${texts[level]}: ${about}`;
  return (
    <Button
      variant="default"
      size="xs"
      px="xs"
      title={text}
      aria-label={t('shell.health', { state: text })}
      renderRoot={(rest) => <Link to="/system" {...rest} />}
    >
      <Box
        component="span"
        w={10}
        h={10}
        bdrs="50%"
        bg={colors[level]}
        display="inline-block"
        aria-hidden="true"
      />
      <NarrowCount count={counts[level]} />
      <Text span inherit ml={6} visibleFrom="md">
        {texts[level]}
      </Text>
    </Button>
  );
}

/** The number of problems, where the text does not fit. */
function NarrowCount({ count }: { readonly count: number }) {
  const format = useFormat();
  if (count === 0) return null;
  return (
    <Text span inherit ml={4} hiddenFrom="md">
      {format.number(count)}
    </Text>
  );
}
