// A development build of React: what it leaves on elements is what is read of components.
import { createRoot } from 'react-dom/client';

function SaveButton({ children }) {
  return <button id="save">{children}</button>;
}

function Toolbar() {
  return <div><SaveButton>Save it</SaveButton></div>;
}

createRoot(document.getElementById('root')).render(<Toolbar />);
