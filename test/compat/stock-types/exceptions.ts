/**
 * Deliberate differences between entity types of Annals and the expectations of EspoCRM clients, with
 * reasons.
 */
interface Exceptions {
  readonly reason: string;
  /** Names of differences, see compareStockTypes. */
  readonly names: readonly string[];
}

/** Shown in docs/reference/entities.md. */
export const exceptions: readonly Exceptions[] = [
  {
    reason: 'Annals has no e-mails',
    names: [
      'Account.emails',
      'Account.emailsPrimary',
      'Case.emails',
      'Case.inboundEmail',
      'Case.originalEmail',
      'Contact.emails',
      'Contact.originalEmail',
      'Lead.emails',
      'Lead.originalEmail',
      'Meeting.sourceEmail',
      'Opportunity.emails',
      'Task.email',
      'Task.originalEmail',
      'Team.groupEmailFolders',
      'Team.inboundEmails',
      'User.emails',
    ],
  },
  {
    reason: 'Campaigns send nothing, so they have no templates and no log',
    names: [
      'Account.campaignLogRecords',
      'Campaign.accountsTemplate',
      'Campaign.campaignLogRecords',
      'Campaign.contactsTemplate',
      'Campaign.leadsTemplate',
      'Campaign.massEmails',
      'Campaign.trackingUrls',
      'Campaign.usersTemplate',
      'Contact.campaignLogRecords',
      'Lead.campaignLogRecords',
      'TargetList.massEmails',
      'TargetList.massEmailsExcluding',
    ],
  },
  {
    reason: 'Annals has no portals',
    names: [
      'Account.portalUsers',
      'Contact.portalUser foreign',
      'KnowledgeBaseArticle.portals',
      'Note.portals',
      'User.account',
      'User.accounts',
      'User.contact',
      'User.portal',
      'User.portalRoles',
      'User.portals',
    ],
  },
  {
    reason: 'Annals has neither folders nor categories',
    names: [
      'Document.folder',
      'EmailTemplate.category',
      'KnowledgeBaseArticle.categories',
      'TargetList.category',
    ],
  },
  {
    reason:
      'A post has a text, and a parent record or addressees; users and teams do not list their posts',
    names: [
      'Note.parent required',
      'Note.post required',
      'Note.teams foreign',
      'Note.users foreign',
      'Team.notes',
      'User.notes',
    ],
  },
  {
    reason: 'Stream items contain these values; they have no separate list',
    names: ['Note.attachments', 'Note.related', 'Note.superParent'],
  },
  {
    reason: 'Files are read with the record that holds them, not through a link',
    names: ['EmailTemplate.attachments'],
  },
  {
    reason: 'Annals has no such records for users',
    names: ['User.dashboardTemplate', 'User.userData', 'User.workingTimeRanges'],
  },
  {
    reason: 'Clients may set it, because Annals does not derive it from the parent',
    names: [
      'Call.account readOnly',
      'Meeting.account readOnly',
      'Task.account readOnly',
      'Task.contact readOnly',
    ],
  },
  {
    reason: 'The metadata states explicitly that clients do not set it',
    names: ['Case.number readOnly'],
  },
  {
    reason: 'Annals also has link events',
    names: ['Webhook.type options'],
  },
  {
    reason: 'Deliveries are listed [differently](webhooks.md)',
    names: ['Webhook.queueItems'],
  },
];
