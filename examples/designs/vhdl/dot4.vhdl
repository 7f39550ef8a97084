-- Four e4m3 products and a binary32 addend in VHDL, with ieee.numeric_std: two stages, an asynchronous reset, and a valid
-- bit that goes with the data.
--
-- Fault 1 answers NaN with 0x7fc00000, fault 2 aligns at an anchor that zero products take part in.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

entity dot4_vhdl is
  generic (
    fault : natural := 0
  );
  port (
    clock     : in  std_logic;
    reset     : in  std_logic;
    valid_in  : in  std_logic;
    a, b      : in  std_logic_vector(31 downto 0);
    c         : in  std_logic_vector(31 downto 0);
    valid_out : out std_logic;
    d         : out std_logic_vector(31 downto 0)
  );
end entity;

architecture rtl of dot4_vhdl is
  constant floor_exponent : integer := -133;

  subtype exponent_t is integer range -512 to 511;

  -- Places to the anchor; that of a zero term, which may lie above it, does not matter.
  function distance(anchor, exponent : exponent_t) return natural is
  begin
    if exponent > anchor then
      return 0;
    end if;
    return to_integer(to_unsigned(anchor - exponent, 10));
  end function;

  signal sum_q      : signed(17 downto 0);
  signal anchor_q   : signed(9 downto 0);
  signal nan_q      : std_logic;
  signal infinite_q : std_logic;
  signal sign_q     : std_logic;
  signal valid_q    : std_logic;

  function field(x : std_logic_vector(7 downto 0)) return exponent_t is
  begin
    if unsigned(x(6 downto 3)) = 0 then
      return 1;
    end if;
    return to_integer(unsigned(x(6 downto 3)));
  end function;

  function significand(x : std_logic_vector(7 downto 0)) return unsigned is
  begin
    if unsigned(x(6 downto 3)) = 0 then
      return unsigned('0' & x(2 downto 0));
    end if;
    return unsigned('1' & x(2 downto 0));
  end function;
begin

  sum : process (clock)
    type products_t is array (0 to 3) of unsigned(7 downto 0);
    type exponents_t is array (0 to 3) of exponent_t;
    variable products   : products_t;
    variable exponents  : exponents_t;
    variable addend     : unsigned(23 downto 0);
    variable exponent_c : exponent_t;
    variable anchor     : exponent_t;
    variable total      : signed(17 downto 0);
    variable aligned    : unsigned(13 downto 0);
    variable x, y       : std_logic_vector(7 downto 0);
    variable nan        : std_logic;
  begin
    if rising_edge(clock) then
      anchor := floor_exponent;
      nan    := '0';
      for i in 0 to 3 loop
        x := a(8 * i + 7 downto 8 * i);
        y := b(8 * i + 7 downto 8 * i);
        products(i)  := significand(x) * significand(y);
        exponents(i) := field(x) + field(y) - 14;
        if (products(i) /= 0 or fault = 2) and exponents(i) > anchor then
          anchor := exponents(i);
        end if;
        if x(6 downto 0) = "1111111" or y(6 downto 0) = "1111111" then
          nan := '1';
        end if;
      end loop;
      if unsigned(c(30 downto 23)) = 0 then
        addend     := unsigned('0' & c(22 downto 0));
        exponent_c := -126;
      else
        addend     := unsigned('1' & c(22 downto 0));
        exponent_c := to_integer(unsigned(c(30 downto 23))) - 127;
      end if;
      if addend /= 0 and exponent_c > anchor then
        anchor := exponent_c;
      end if;
      total := (others => '0');
      for i in 0 to 3 loop
        -- The 6 fraction bits of a product become 12, and the distance to the anchor is cut off.
        aligned := shift_right(products(i) & "000000", distance(anchor, exponents(i)));
        if a(8 * i + 7) /= b(8 * i + 7) then
          total := total - signed(resize(aligned, 18));
        else
          total := total + signed(resize(aligned, 18));
        end if;
      end loop;
      aligned := resize(shift_right(addend, 11 + distance(anchor, exponent_c)), 14);
      if c(31) = '1' then
        total := total - signed(resize(aligned, 18));
      else
        total := total + signed(resize(aligned, 18));
      end if;
      if c(30 downto 23) = "11111111" and unsigned(c(22 downto 0)) /= 0 then
        nan := '1';
      end if;
      sum_q      <= total;
      anchor_q   <= to_signed(anchor, 10);
      nan_q      <= nan;
      infinite_q <= '0';
      if c(30 downto 23) = "11111111" then
        infinite_q <= '1';
      end if;
      sign_q <= c(31);
    end if;
  end process;

  result : process (clock)
    variable magnitude : unsigned(17 downto 0);
    variable exponent  : signed(10 downto 0);
    variable fraction  : std_logic_vector(22 downto 0);
  begin
    if rising_edge(clock) then
      if sum_q < 0 then
        magnitude := unsigned(-sum_q);
      else
        magnitude := unsigned(sum_q);
      end if;
      exponent  := resize(anchor_q, 11) + 132;
      for i in 0 to 16 loop
        if magnitude(17) = '0' and exponent > 1 then
          magnitude := shift_left(magnitude, 1);
          exponent  := exponent - 1;
        end if;
      end loop;
      fraction := std_logic_vector(magnitude(16 downto 0)) & "000000";
      if magnitude(17) = '0' then
        d <= sum_q(17) & "00000000" & fraction;
      elsif exponent > 254 then
        d <= sum_q(17) & "11111111" & (22 downto 0 => '0');
      else
        d <= sum_q(17) & std_logic_vector(exponent(7 downto 0)) & fraction;
      end if;
      if sum_q = 0 then
        d <= (others => '0');
      end if;
      if infinite_q = '1' then
        d <= sign_q & "11111111" & (22 downto 0 => '0');
      end if;
      if nan_q = '1' then
        if fault = 1 then
          d <= x"7fc00000";
        else
          d <= x"7fffffff";
        end if;
      end if;
    end if;
  end process;

  valid : process (clock, reset)
  begin
    if reset = '1' then
      valid_q   <= '0';
      valid_out <= '0';
    elsif rising_edge(clock) then
      valid_q   <= valid_in;
      valid_out <= valid_q;
    end if;
  end process;

end architecture;
