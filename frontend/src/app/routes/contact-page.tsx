import { ContactForm } from '../../features/front-door/contact-form';
import { SupportContact } from '../../features/front-door/support-contact';
import { FrontPage } from './front-page';

/** The contact page. */
export const ContactPage = () => (
  <FrontPage heading="Connect with Us">
    <div className="stack">
      <ContactForm />
      <SupportContact />
    </div>
  </FrontPage>
);
