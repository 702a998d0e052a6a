import {
  type Icon,
  IconAddressBook,
  IconBook,
  IconBuilding,
  IconCalendarEvent,
  IconChecklist,
  IconCoins,
  IconFileText,
  IconLifebuoy,
  IconMailCode,
  IconPhone,
  IconSpeakerphone,
  IconTable,
  IconTarget,
  IconUserSearch,
} from '@tabler/icons-react';

const icons = new Map<string, Icon>([
  ['Account', IconBuilding],
  ['Call', IconPhone],
  ['Campaign', IconSpeakerphone],
  ['Case', IconLifebuoy],
  ['Contact', IconAddressBook],
  ['Document', IconFileText],
  ['EmailTemplate', IconMailCode],
  ['KnowledgeBaseArticle', IconBook],
  ['Lead', IconUserSearch],
  ['Meeting', IconCalendarEvent],
  ['Opportunity', IconCoins],
  ['TargetList', IconTarget],
  ['Task', IconChecklist],
]);

/** Returns the icon of an entity type. Custom types share one. */
export function iconOf(entity: string): Icon {
  return icons.get(entity) ?? IconTable;
}
