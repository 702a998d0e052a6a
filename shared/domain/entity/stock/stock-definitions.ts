import type { EntityDefinition } from '../definition/entity-definition.ts';
import { accountDefinition } from './account.ts';
import { callDefinition, meetingDefinition, taskDefinition } from './activities.ts';
import { attachmentDefinition } from './attachment.ts';
import { campaignDefinition, targetListDefinition } from './campaign.ts';
import { caseDefinition } from './case.ts';
import { contactDefinition } from './contact.ts';
import { documentDefinition, knowledgeBaseArticleDefinition } from './documents.ts';
import { emailTemplateDefinition } from './email-template.ts';
import {
  currencyRatesDefinition,
  entityDefinitionRecord,
  layoutSetDefinition,
  leadOptInDefinition,
  massActionDefinition,
  streamPinsDefinition,
  streamSubscriptionDefinition,
  workingTimeCalendarDefinition,
} from './internal-records.ts';
import { leadDefinition } from './lead.ts';
import { leadCaptureDefinition } from './lead-capture.ts';
import { noteDefinition } from './note.ts';
import { opportunityDefinition } from './opportunity.ts';
import { roleDefinition } from './role.ts';
import { settingsDefinition } from './settings.ts';
import { teamDefinition } from './team.ts';
import { userDefinition } from './user.ts';
import { webhookDefinition } from './webhook.ts';

/** The entity types that ship with Annals. */
export const stockDefinitions: readonly EntityDefinition[] = [
  accountDefinition,
  contactDefinition,
  leadDefinition,
  caseDefinition,
  opportunityDefinition,
  taskDefinition,
  meetingDefinition,
  callDefinition,
  campaignDefinition,
  targetListDefinition,
  documentDefinition,
  knowledgeBaseArticleDefinition,
  emailTemplateDefinition,
  noteDefinition,
  attachmentDefinition,
  streamSubscriptionDefinition,
  streamPinsDefinition,
  userDefinition,
  teamDefinition,
  roleDefinition,
  layoutSetDefinition,
  workingTimeCalendarDefinition,
  leadCaptureDefinition,
  webhookDefinition,
  entityDefinitionRecord,
  currencyRatesDefinition,
  settingsDefinition,
  massActionDefinition,
  leadOptInDefinition,
];
