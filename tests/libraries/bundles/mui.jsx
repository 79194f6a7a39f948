// Material UI: widgets drawn over hidden inputs, lists in portals at the end of the page, dialogs over backdrops.
import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import Autocomplete from '@mui/material/Autocomplete';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogTitle from '@mui/material/DialogTitle';
import FormControl from '@mui/material/FormControl';
import FormControlLabel from '@mui/material/FormControlLabel';
import InputLabel from '@mui/material/InputLabel';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import Rating from '@mui/material/Rating';
import Select from '@mui/material/Select';
import Slider from '@mui/material/Slider';
import Switch from '@mui/material/Switch';
import TextField from '@mui/material/TextField';

function App() {
  const [age, grow] = useState('');
  const [open, show] = useState(false);
  const [anchor, at] = useState(null);
  return <main>
    <h1>Material UI</h1>
    <TextField label="Name" id="name" onChange={(e) => record('state', 'name', e.target.value)} />
    <FormControl style={{ width: 200 }}>
      <InputLabel id="age-label">Age</InputLabel>
      <Select labelId="age-label" label="Age" value={age} onChange={(e) => (grow(e.target.value), record('state', 'age', e.target.value))}>
        <MenuItem value={10}>Ten</MenuItem><MenuItem value={20}>Twenty</MenuItem><MenuItem value={30}>Thirty</MenuItem>
      </Select>
    </FormControl>
    <Autocomplete options={['Apple', 'Banana', 'Cherry', 'Damson']} onChange={(_, it) => record('state', 'fruit', it)}
      renderInput={(params) => <TextField {...params} label="Fruit" />} />
    <Autocomplete multiple options={['Red', 'Green', 'Blue']} onChange={(_, all) => record('state', 'colours', all.join())}
      renderInput={(params) => <TextField {...params} label="Colours" />} />
    <Slider aria-label="Volume" defaultValue={30} onChangeCommitted={(_, it) => record('state', 'volume', it)} style={{ width: 300 }} />
    <FormControlLabel control={<Checkbox onChange={(e) => record('state', 'agree', e.target.checked)} />} label="I agree" />
    <FormControlLabel control={<Switch onChange={(e) => record('state', 'wifi', e.target.checked)} />} label="Wi-Fi" />
    <Rating name="stars" onChange={(_, it) => record('state', 'stars', it)} />
    <Button onClick={() => show(true)}>Delete…</Button>
    <Dialog open={open} onClose={() => show(false)}>
      <DialogTitle>Really delete?</DialogTitle>
      <DialogActions>
        <Button onClick={() => show(false)}>Keep</Button>
        <Button onClick={() => (show(false), record('state', 'deleted', 'yes'))}>Delete</Button>
      </DialogActions>
    </Dialog>
    <Button onClick={(e) => at(e.currentTarget)}>More</Button>
    <Menu anchorEl={anchor} open={!!anchor} onClose={() => at(null)}>
      {['Profile', 'Logout'].map((it) => <MenuItem key={it} onClick={() => (at(null), record('state', 'menu', it))}>{it}</MenuItem>)}
    </Menu>
  </main>;
}

createRoot(document.getElementById('root')).render(<App />);
