/** Where entity types of Annals differ from what clients of EspoCRM expect, and why. */
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
    reason: 'Campaigns send nothing: no templates, and no log of what came of it',
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
      'A post says something, and is on a record or addressed; streams list posts to users and teams',
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
    reason: 'Items of a stream tell it, and no list is behind it',
    names: ['Note.attachments', 'Note.related', 'Note.superParent'],
  },
  {
    reason: 'Files are read with the record that holds them, and are no link of it',
    names: ['EmailTemplate.attachments'],
  },
  {
    reason: 'Of users these are no records of Annals',
    names: ['User.dashboardTemplate', 'User.userData', 'User.workingTimeRanges'],
  },
  {
    reason: 'Clients may set it, as Annals does not derive it from the parent',
    names: [
      'Call.account readOnly',
      'Meeting.account readOnly',
      'Task.account readOnly',
      'Task.contact readOnly',
    ],
  },
  {
    reason: 'The metadata says outright that clients do not set it',
    names: ['Case.number readOnly'],
  },
  {
    reason: 'Annals has events of links, too',
    names: ['Webhook.type options'],
  },
  {
    reason: 'Deliveries are listed in [another way](webhooks.md)',
    names: ['Webhook.queueItems'],
  },
];
