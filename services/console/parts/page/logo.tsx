import icon from '../../assets/icon.svg';

export function Logo() {
  return <img src={icon} alt="" width={28} height={28} />;
}
