import type { LegalSection } from './legal-text';

/** Accounts, content and payment. */
export const TERMS_OF_USE: readonly LegalSection[] = [
  {
    id: 'service',
    title: 'The service',
    blocks: [
      'Roughmix lets musicians upload audio, comment on it, keep todo lists and finish songs together. It is an invite-only beta: features may change, and we may refuse or limit access.',
      'The [Projects and Community Terms](/terms/projects-terms-of-service) and the [Privacy Policy](/privacy) are part of these terms.',
    ],
  },
  {
    id: 'eligibility',
    title: 'Who may use it',
    blocks: [
      'You must be 18 or older, able to make a binding contract, and not barred from using the service by law or by us. If you act for a band, label or company, you confirm that you may bind it.',
    ],
  },
  {
    id: 'account',
    title: 'Your account',
    blocks: [
      'Give correct details and keep them up to date. Keep your password to yourself; you are responsible for everything that happens under your account. Tell us at once if someone else uses it.',
      'Your username must not impersonate another person, must not infringe anyone’s rights, and must not be offensive. We may change or take back a username that does.',
    ],
  },
  {
    id: 'conduct',
    title: 'What you may not do',
    blocks: [
      [
        'Upload what you have no right to share, or what is unlawful, hateful, harassing or harmful.',
        'Pretend to be someone else, or collect other people’s data.',
        'Send advertising or spam, or manipulate ratings.',
        'Break, overload, probe or bypass the security of the service, or copy it by automated means.',
        'Share another member’s unfinished work outside the people it was shared with.',
      ],
    ],
  },
  {
    id: 'content',
    title: 'Your content and its licence',
    blocks: [
      'What you upload stays yours. You confirm that you have the rights to it, and that it infringes no one’s.',
      'You grant us a worldwide, non-exclusive, royalty-free licence to store, copy, analyse, convert, transmit and show your content, as far as this is needed to run and improve the service for you and the people you share it with. The licence ends when you delete the content, except for copies that others made with your permission, for what you added to other people’s projects, and for backups until they expire.',
      'You grant the members of a project or a group the licences that the [Projects and Community Terms](/terms/projects-terms-of-service#licences) describe.',
      'If you send us ideas about the service, we may use them without payment.',
    ],
  },
  {
    id: 'our-rights',
    title: 'Our rights',
    blocks: ['The service, its name and its design belong to us or our licensors. These terms give you the right to use the service, and nothing more.'],
  },
  {
    id: 'fees',
    title: 'Fees and automatic renewal',
    blocks: [
      'The beta is free. If we offer paid subscriptions, we show the price, the period and the taxes before you order. A payment provider processes the payment; we do not see your full card number.',
      'A subscription renews automatically at the end of each period, at the price that then applies, until you cancel it. You can cancel at any time before the renewal; you then keep access until the end of the period that is paid for. We announce changes of price at least 30 days ahead, and they apply from the next renewal. Unless the law or these terms say otherwise, payments are not refunded.',
    ],
  },
  {
    id: 'cooling-off',
    title: 'Cooling-off in the UK and the EU',
    blocks: [
      'If you are a consumer in the United Kingdom or the European Union, you may withdraw from a purchase within 14 days, without giving a reason. Tell us clearly, for example through the [contact form](/contact), before the 14 days end. We return the payment within 14 days, by the means you paid with. If you asked us to begin the service at once, we may keep the share for the days that you used it.',
    ],
  },
  {
    id: 'copyright',
    title: 'Copyright notices and takedown',
    blocks: [
      'If you believe that content on Roughmix infringes your copyright, send us a notice through the [contact form](/contact) with:',
      [
        'the work that is infringed, and where the infringing content is on Roughmix;',
        'your name, address, telephone number and email address;',
        'a statement that you believe in good faith that the use is not allowed by the owner, its agent or the law;',
        'a statement, under penalty of perjury, that the notice is accurate and that you are the owner or may act for the owner;',
        'your physical or electronic signature.',
      ],
      'We remove or block the content and tell its uploader, who may send a counter-notice with the same details and a statement, under penalty of perjury, that the removal was a mistake. Unless the claimant goes to court, we may restore the content 10 to 14 business days after a counter-notice.',
      'We close the accounts of repeat infringers. A repeat infringer is someone whose content was the subject of more than two takedown notices.',
    ],
  },
  {
    id: 'termination',
    title: 'The end of an account',
    blocks: [
      'You may leave at any time. We may suspend or close your account if you break these terms, if the law requires it, or if we end the service; where it is reasonable we tell you before and let you take your content with you. Sections that by their nature continue, such as licences already granted, liability and disputes, survive.',
    ],
  },
];
