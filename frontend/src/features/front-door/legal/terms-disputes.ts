import type { LegalSection } from './legal-text';

/** Liability and disputes. */
export const TERMS_OF_DISPUTES: readonly LegalSection[] = [
  {
    id: 'third-parties',
    title: 'Other services',
    blocks: ['Members may link to other websites, and parts of the service may rely on other companies. We are not responsible for what they offer.'],
  },
  {
    id: 'warranty',
    title: 'No warranty',
    blocks: [
      'The service is provided as it is and as it is available. As far as the law allows, we give no warranties, express or implied, and do not promise that it is free of errors or always reachable. Keep your own copies of your recordings.',
    ],
  },
  {
    id: 'liability',
    title: 'Limits of liability',
    blocks: [
      'As far as the law allows, we are not liable for indirect or consequential damage, nor for lost profits, data or goodwill. Our total liability for all claims is at most the greater of $100 and what you paid us in the last six months before the claim.',
      'Nothing in these terms limits liability that cannot be limited by law, such as for death, injury, fraud or intent, nor the rights that you have as a consumer.',
    ],
  },
  {
    id: 'indemnity',
    title: 'Indemnity',
    blocks: [
      'If someone makes a claim against us because of your content, or because you broke these terms, you cover the cost, including reasonable legal fees.',
    ],
  },
  {
    id: 'informal',
    title: 'Talk to us first',
    blocks: [
      'Before starting proceedings, each side writes to the other, describes the dispute and says what it asks for. Both then try for 30 days to settle it. Write to us through the [contact form](/contact).',
    ],
  },
  {
    id: 'arbitration',
    title: 'Arbitration',
    blocks: [
      'What cannot be settled is decided by binding arbitration by a single, neutral arbitrator, and not by a court or jury. Either side may still bring an individual case to a small claims court, or ask a court to stop the infringement of intellectual property.',
      'The rules of the arbitration provider apply. For claims below $250,000 its streamlined rules are used, for others its comprehensive rules. If your claim is for less than $10,000, we reimburse the filing and arbitration fees, unless the arbitrator finds it frivolous. The hearing can be held by telephone, by video, in writing, or in person near where you live.',
      'Claims are brought individually. You and we waive class actions, class arbitrations and representative actions; if this waiver cannot be enforced for a claim, that claim is decided by a court.',
      'Consumers in the United Kingdom and the European Union may go to the courts of the country they live in; nothing here takes that away.',
    ],
  },
  {
    id: 'opt-out',
    title: 'Opting out of arbitration',
    blocks: [
      'You may opt out within 30 days of first accepting these terms: send us your name, the email address of your account and the sentence that you opt out, through the [contact form](/contact). Opting out has no other effect on your account.',
    ],
  },
  {
    id: 'force-majeure',
    title: 'Force majeure',
    blocks: [
      'Neither side is liable for a delay or failure that is beyond its reasonable control, such as natural disasters, war, strikes, or the failure of networks or power. If it lasts for more than 120 days, either side may cancel the affected service by notice, and we refund what was paid ahead for the time after.',
    ],
  },
  {
    id: 'law',
    title: 'Governing law',
    blocks: [
      'The law of the place where the operator is established applies, without regard to its conflict-of-law rules. Mandatory consumer rights are not affected.',
    ],
  },
  {
    id: 'changes',
    title: 'Changes to these terms',
    blocks: [
      'We may change these terms. If a change matters, we tell you by email or in the app at least 30 days before it applies. If you do not agree, leave before then; using the service afterwards means that you accept the change. A change to the arbitration sections does not apply to disputes that we already know of.',
    ],
  },
  {
    id: 'general',
    title: 'General',
    blocks: [
      'These terms are the whole agreement about the service. If a part is invalid, the rest stays valid. Not enforcing a right does not waive it. You may not transfer your account without our consent; we may transfer the service together with these terms.',
    ],
  },
  { id: 'contact', title: 'Contact', blocks: ['Questions about these terms: [Connect with Us](/contact).'] },
];
