import { ActionIcon, Menu, Modal } from '@mantine/core';
import { IconCode, IconDots, IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { mayReadApiDescription, useRights } from '../../api/rights.ts';
import { useUser } from '../../api/session.ts';
import { useText } from '../../language/language.tsx';
import { RequestSnippet } from '../../parts/copy/copy-as.tsx';
import { ExportForm, type ExportProps } from './export-form.tsx';

/** The actions on a list that are needed less often. Shows nothing to users who may perform none of them. */
export function MoreMenu(props: ExportProps & { readonly requestPath: string }) {
  const t = useText();
  const { entity } = props;
  const [opened, setOpened] = useState<'export' | 'request'>();
  const mayExport = useRights(entity.name).export && entity.scope.object;
  const isDeveloper = mayReadApiDescription(useUser());
  if (!mayExport && !isDeveloper) return null;
  const close = (): void => setOpened(undefined);
  const label = t('records.moreActions');
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label={label} title={label}>
            <IconDots size={16} aria-hidden="true" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {mayExport ? (
            <Menu.Item
              leftSection={<IconDownload size={16} aria-hidden="true" />}
              onClick={() => setOpened('export')}
            >
              {t('exports.export')}
            </Menu.Item>
          ) : null}
          {isDeveloper ? (
            <Menu.Item
              leftSection={<IconCode size={16} aria-hidden="true" />}
              onClick={() => setOpened('request')}
            >
              {t('copyAs.title')}
            </Menu.Item>
          ) : null}
        </Menu.Dropdown>
      </Menu>
      <Modal
        opened={opened === 'export'}
        onClose={close}
        title={t('exports.title', { entity: entity.labelPlural })}
      >
        <ExportForm {...props} onClose={close} />
      </Modal>
      <Modal opened={opened === 'request'} onClose={close} size="lg" title={t('copyAs.title')}>
        <RequestSnippet path={props.requestPath} />
      </Modal>
    </>
  );
}
