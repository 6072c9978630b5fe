import type { LegalDocument } from './legal-text';

export const PRIVACY: LegalDocument = {
  title: 'Privacy Policy',
  effective: 'Effective 3 June 2021',
  summary: 'This policy says which personal data Roughmix holds, why, for how long, who else sees it, and what you can ask for.',
  sections: [
    {
      id: 'who',
      title: 'Who is responsible',
      blocks: [
        'The operator of this installation of Roughmix (“we”) decides why and how your personal data is used. You can reach us through the [contact form](/contact).',
        'This policy covers the Roughmix website and everything that you do on it. It does not cover other websites that members link to.',
      ],
    },
    {
      id: 'collect',
      title: 'What we collect',
      blocks: [
        [
          'Account: your email address, a hash of your password, your first and last name, your username and when the account was created.',
          'Profile: the picture, cover, location, description and influences that you choose to add.',
          'Content: the audio, versions, regions, comments, todos, notes, posts, messages and images that you upload or write.',
          'Relations: the projects, groups and collections you belong to, and whom you follow.',
          'Use: which versions were played and for how long, and the sign-ins and devices of your account.',
          'Requests: the email address of an invite request, and what you write into the contact form.',
          'Technical data: network address, browser and the time of each request, in server logs.',
        ],
        'We do not ask for sensitive data, such as health or beliefs. Please do not put it into your profile or into your projects.',
      ],
    },
    {
      id: 'use',
      title: 'What we use it for',
      blocks: [
        [
          'To provide the service: sign you in, store and play your music, and show it to the people you chose.',
          'To tell you what happened: notifications in the app, by push and by email, as you set them.',
          'To keep the service secure: throttle sign-ins, detect abuse, and find errors.',
          'To answer you, and to decide on invite requests.',
          'To understand how the service is used, from events that carry no names.',
        ],
        'In the European Union and the United Kingdom, the legal bases are our contract with you, our legitimate interest in a secure and working service, your consent where we ask for it, and our legal duties. You can withdraw consent at any time.',
      ],
    },
    {
      id: 'share',
      title: 'Who sees it',
      blocks: [
        [
          'Members of your projects and groups see what you share with them, with your name and picture.',
          'Signed-in users can find you by name or username. Your profile, and the projects that you set to Public, can be seen by everyone.',
          'Companies that run servers, storage or email for us process data on our instructions only.',
          'Authorities receive data when the law obliges us.',
          'If the service passes to another operator, your data passes with it, under this policy.',
        ],
        'We do not sell personal data and show no advertising. Direct messages and private notes are never shown to our staff.',
      ],
    },
    {
      id: 'cookies',
      title: 'Cookies and storage in your browser',
      blocks: [
        'We set one cookie that keeps you signed in and one that recognises a device you signed in on before. Your browser also stores settings such as the theme and the volume, and unsent drafts until the tab is closed. None of these follow you to other websites.',
      ],
    },
    {
      id: 'retention',
      title: 'How long we keep it',
      blocks: [
        [
          'Account and content: until you delete them, or your account is removed. Files of removed items wait in a trash for a limited period that the operator sets, then they are deleted.',
          'Invite requests and contact messages of people without an account: for a limited period that the operator sets, then they are deleted.',
          'Server logs: for a limited period that the operator sets.',
        ],
        'When an account is removed, its personal data becomes unreadable in every copy that we keep. What you made in other people’s projects stays there under “[removed user]”.',
      ],
    },
    {
      id: 'rights',
      title: 'Your rights',
      blocks: [
        'Depending on where you live, you may ask us for a copy of your data, for its correction or deletion, for a limit to its use, or to hand it over in a common format. You may object to a use that rests on our interests. Write to us through the [contact form](/contact); we answer within one month. You may also complain to your data protection authority.',
      ],
    },
    {
      id: 'transfers',
      title: 'Transfers to other countries',
      blocks: ['If data leaves the country you live in, we make sure that it is protected to an equal standard, for example by standard contractual clauses.'],
    },
    {
      id: 'security',
      title: 'Security',
      blocks: [
        'Connections are encrypted, passwords are hashed, and personal data in our records is encrypted with a key of its own for each person. No system is perfectly secure: use a password that you use nowhere else, and tell us if you notice something.',
      ],
    },
    {
      id: 'children',
      title: 'Children',
      blocks: [
        'Roughmix is not directed to children under 16, and we do not knowingly collect their data. If you believe that a child has given us data, tell us and we delete it. The [Terms of Use](/terms#eligibility) require an age of 18 or older for an account.',
      ],
    },
    {
      id: 'changes',
      title: 'Changes to this policy',
      blocks: [
        'When we change this policy, we change the date at its top. If the change matters to you, we tell you by email or in the app before it applies.',
      ],
    },
    { id: 'contact', title: 'Contact', blocks: ['Questions about this policy or your data: [Connect with Us](/contact).'] },
  ],
};
